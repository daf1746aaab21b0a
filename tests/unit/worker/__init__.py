"""The worker's loop against the scheduler's real use cases."""
