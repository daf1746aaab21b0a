"""Everything in this process's memory: the demo mode, and the executable specification."""
