"""Where submissions come from: one module a format. `finding.find` asks each for what is its own.

Sources find files and read their bytes under limits, into a `grader.bundle.Bundle`; no answer is read here.
"""
