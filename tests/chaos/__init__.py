"""The whole system as real processes, and what happens when they are killed."""
