"""Where submissions come from: one module a format. Each finds candidates and loads one into a Submission."""
