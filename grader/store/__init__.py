"""The run store: everything that was handed in and what became of it, in one SQLite file."""

from grader.store.reader import Store, StoreError, open_store
from grader.store.writer import Journal, open_journal

__all__ = ["Journal", "Store", "StoreError", "open_journal", "open_store"]
