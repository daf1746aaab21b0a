"""Where Taskmill starts: command line, HTTP API, and the wiring of everything."""
