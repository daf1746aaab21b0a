"""`python -m entrypoints` is `taskmill`."""

from entrypoints.cli import main

main()
