"""Binds the features to the steps; the wirings come from `conftest.py`."""

from pytest_bdd import scenarios

scenarios(".")
