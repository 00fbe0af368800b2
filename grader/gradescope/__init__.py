"""Gradescope's autograder: the zip that is uploaded (`build`), and what runs in it (`run`)."""
