"""The use cases of a job scheduler, and the ports through which they reach the world."""
