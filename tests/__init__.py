"""Tests of Taskmill, ring by ring."""
