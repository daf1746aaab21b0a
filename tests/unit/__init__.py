"""The domain alone: no store, no clock, no event loop."""
