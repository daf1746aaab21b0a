"""The features, run on every wiring."""
