"""What happened, told as log lines."""
