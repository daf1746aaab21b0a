"""Measurements that anyone can repeat: ratios within one run, on whatever machine it is."""
