"""Does what people start behave: the processes and the HTTP edge."""
