"""The examples in the documentation."""

import doctest
from importlib.resources import files

import reference


def test_the_examples_of_the_readme_hold() -> None:
    text = files("reference").joinpath("README.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    results = doctest.DocTestRunner().run(example)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_examples_of_the_package_hold() -> None:
    results = doctest.testmod(reference)
    assert results.attempted > 2
    assert results.failed == 0
