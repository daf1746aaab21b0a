"""The sets of adapters that every feature runs on."""

WIRING_NAMES = ("memory", "postgres", "memory-http", "postgres-http")
