"""Answer types, one module each: how a response is read into an answer, and how an answer meets the solution."""
