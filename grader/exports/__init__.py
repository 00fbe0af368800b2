"""Where results go: one module a format, for machines.

A member `x.py` has `export(rows, outline, options)`, which gives the file piece by piece, `ending` (its suffix) and
`needs_template` where it fills in a file of the instructor's own.
"""
