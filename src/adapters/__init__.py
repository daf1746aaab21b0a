"""Plugs for the ports: each package serves one technology and knows no other."""
