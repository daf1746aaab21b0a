"""Does the project hold together: architecture, distribution, containers."""
