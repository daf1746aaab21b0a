"""Whole clusters in one process, under a clock that jumps and a network that fails by a seed."""
