"""Clocks that need no server."""
