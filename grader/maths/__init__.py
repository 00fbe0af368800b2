"""Mathematics: one immutable expression tree and its interpreters, a room that knows nothing of exercises."""
