"""The worker: takes jobs from a scheduler, runs their strategies, and tells what came of it."""
