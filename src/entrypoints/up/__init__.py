"""`taskmill up`: a database, a scheduler and workers, kept by one process."""
