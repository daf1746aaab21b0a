"""The scheduler's HTTP interface, from the side of those who call it."""
