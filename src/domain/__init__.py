"""The rules of a job's life: pure values and functions, on the standard library alone."""
