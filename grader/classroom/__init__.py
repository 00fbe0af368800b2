"""Repositories of a class: templates for students, the staff's own, and what goes from one to the other."""
