"""Reports for people; start at `render`."""
