"""Checks, one module each: when a value counts as equal to the solution's."""
