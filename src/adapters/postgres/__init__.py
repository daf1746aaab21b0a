"""Everything in one PostgreSQL database that any number of schedulers share."""
