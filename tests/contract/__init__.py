"""What every adapter of a port must do, the same for each."""
