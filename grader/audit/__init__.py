"""What of the clones of a class is not as it was handed out, and which claimed results are not the staff's.

It shows differences. Who made them and why, it can't know.
"""
