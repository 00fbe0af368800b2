"""Diagnosis: from a wrong answer to the mistake behind it."""
