"""Do the tests notice when the SQL is wrong? `python -m tests.mutants` breaks it and sees."""
