"""Where a file isn't sound YAML, its lines are read one by one, by their indentation."""

import pytest

from grader.linewise import MOST_BRACES, MOST_LINES, read_lines, unquote
from grader.yamltree import MOST_DEPTH, Mapping, Node, Text


def plain(node: Node | None) -> object:
    match node:
        case Mapping(entries):
            return [(entry.key, plain(entry.value)) for entry in entries]
        case Text(value):
            return value
    return None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a: 1\nb: 2\n", [("a", "1"), ("b", "2")]),
        ("a:\n  b: 1\n  c:\n    d: 2\ne: 3\n", [("a", [("b", "1"), ("c", [("d", "2")])]), ("e", "3")]),
        ("a:\n\tb: 1\n\tc: 2\n", [("a", [("b", "1"), ("c", "2")])]),
        ("a:\n    b: 1\n  c: 2\n", [("a", [("b", "1"), ("c", "2")])]),
        ("a: 1\n  b: 2\n", [("a", "1"), ("b", "2")]),
        ("\"a b\": 1\n'c': 2\n", [("a b", "1"), ("c", "2")]),
        ("a:\n- b: 1\n- c: 2\n", [("a", [("b", "1"), ("c", "2")])]),
        ("a: 1 # x\n# b: 2\nc: '# y' # z\n", [("a", "1"), ("c", "# y")]),
        ("a: {b: 1, c: {d: 2}}\n", [("a", [("b", "1"), ("c", [("d", "2")])])]),
        ("a: {b: 1\n", [("a", "{b: 1")]),
        ("a: |\n  x\n\n  y\nb: 1\n", [("a", "x\ny"), ("b", "1")]),
        ("a: >-\n  x\n  y\nb: 1\n", [("a", "x y"), ("b", "1")]),
        ("a: >2\nb: 1\n", [("a", ">2"), ("b", "1")]),
        ("a: 1 +\n  2\nb:\n  3\n", [("a", "1 + 2"), ("b", "3")]),
        ("%YAML 1.1\n---\na: 1\n...\n", [("a", "1")]),
        (
            '{\n  "a": {\n    "b": "1"\n    "c": 2,\n  },\n  "d": "x, y",\n}\n',
            [("a", [("b", "1"), ("c", "2")]), ("d", "x, y")],
        ),
        ("a: {\n  b: 1,\n  c: @\n}\nd: 2\n", [("a", [("b", "1"), ("c", "@")]), ("d", "2")]),
        ("a: 1,\n", [("a", "1,")]),
        ("", []),
    ],
)
def test_lines_are_read_by_their_indentation(text: str, read: object) -> None:
    lines = read_lines(text)
    assert plain(lines.root) == read
    assert lines.unread == ()


def test_lines_that_say_nothing_are_listed() -> None:
    lines = read_lines("hello\na: 1\nworld\nb: 'x'\n  more\n")
    assert plain(lines.root) == [("a", "1"), ("b", "x")]
    assert lines.unread == ((1, "hello"), (3, "world"), (5, "more"))


def test_what_is_nested_too_deeply_is_left_out() -> None:
    lines = read_lines("".join(f"{' ' * i}k{i}:\n" for i in range(MOST_DEPTH + 3)))
    assert [number for number, _ in lines.unread] == [MOST_DEPTH + 1, MOST_DEPTH + 2, MOST_DEPTH + 3]


def test_the_number_of_lines_is_bounded() -> None:
    assert read_lines("a: 1\n\n" * MOST_LINES).root is not None
    assert read_lines("a: 1\n" * (MOST_LINES + 1)).root is None


def test_the_number_of_mappings_in_braces_is_bounded() -> None:
    root = read_lines("a: {b: 1}\n" * (MOST_BRACES + 1)).root
    assert root is not None
    assert {type(entry.value) for entry in root.entries[:MOST_BRACES]} == {Mapping}
    assert root.entries[MOST_BRACES].value == Text("{b: 1}", MOST_BRACES + 1)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("'it''s'", "it's"),
        ("'\\frac'", "\\frac"),
        ('"a"', "a"),
        ('"a \\"b\\" \\\\ c"', 'a "b" \\ c'),
        ('"\\\\frac"', "\\frac"),
        ('"\\frac"', "\\frac"),
        ('"\\times"', "\\times"),
        ('"\\nu"', "\\nu"),
        ('"\\xi"', "\\xi"),
        ('"\\xb2 \\u00b2 \\U000000b2"', "² ² ²"),
        ('"\\ud800"', "\\ud800"),
        ('"\\UFFFFFFFF"', "\\UFFFFFFFF"),
        ('""', ""),
    ],
)
def test_quotes_are_dropped_and_latex_stays_as_typed(source: str, text: str) -> None:
    assert unquote(source) == text
