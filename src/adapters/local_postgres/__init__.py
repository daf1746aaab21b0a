"""A real PostgreSQL for one machine, from a wheel instead of an installation."""
