"""YAML is read as texts with their lines, and nothing in it is expanded, constructed or run."""

import pytest
import yaml

from grader.yamltree import Entry, Mapping, Node, Sequence, Text, read_yaml


def faults(text: str, most_events: int = 2_000) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.field, fault.what) for fault in read_yaml(text, "a.yaml", most_events).faults]


def plain(node: Node | None) -> object:
    match node:
        case Mapping(entries):
            return {entry.key: plain(entry.value) for entry in entries}
        case Sequence(items):
            return [plain(item) for item in items]
        case Text(value):
            return value
    return None


@pytest.mark.parametrize(
    "scalar",
    ["NO", "on", "1.97e14", "8.1e11", "017", "1:30", "0x1F", "1_000", ".inf", ".nan", "2024-01-02", "~", "null", "="],
)
def test_scalars_stay_as_typed(scalar: str) -> None:
    assert plain(read_yaml(f"q: {scalar}\n", "a.yaml").root) == {"q": scalar}


def test_a_tree_knows_lines_and_styles() -> None:
    text = "a: 1\nb:\n  - 'x'\n  - {c: \"y\"}\n"
    assert read_yaml(text, "a.yaml").root == Mapping(
        (
            Entry("a", Text("1", 1, "", "1"), 1),
            Entry(
                "b",
                Sequence(
                    (
                        Text("x", 3, "'", "'x'"),
                        Mapping((Entry("c", Text("y", 4, '"', '"y"'), 4),), 4, '{c: "y"}'),
                    ),
                    3,
                ),
                2,
            ),
        ),
        1,
    )


def test_lines_can_be_counted_from_elsewhere() -> None:
    tree = read_yaml("{a: 1, a: *x}", "a.yaml", first_line=7)
    assert isinstance(tree.root, Mapping)
    assert {entry.line for entry in tree.root.entries} == {7}
    assert {fault.line for fault in tree.faults} == {7}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb: &x 2\n", 2, "anchors (&) are not allowed"),
        ("a: 1\nb: *x\n", 2, "aliases are not allowed: put *x in quotes"),
        ("a: !!int '12x'\n", 1, "tags (!) are not allowed"),
        ("a: !!python/object/apply:os.system ['true']\n", 1, "tags (!) are not allowed"),
        ("a: 1\n<<: {b: 2}\n", 2, "merge keys (<<) are not allowed"),
        ("%YAML 1.1\n---\na: 1\n", 1, "directives (%) are not allowed"),
        ("a: 1\n---\nb: 2\n", 2, "one document is expected"),
        ("? [a, b]\n: 1\n", 1, "a key must be text"),
        ("a: 1\x85b: 2\n", 1, "take out the line separator U+0085"),
        ("a:\n\tb: 1\n", 2, "a value can't begin with this character"),
        ("a: b: c\n", 1, "a second colon"),
        ('a: "\\c"\n', 1, "a backslash in double quotes: use single quotes"),
        ("a: > 2\n", 1, "a value can't begin with > or |"),
        ("a: 1\nb: \x07\n", 2, "character U+0007 is not allowed"),
        ("a: [1\n", 2, "a bracket is not closed"),
        ("a: '1\n", 2, "a quotation mark is not closed"),
    ],
)
def test_what_is_not_allowed_is_named_with_its_line(text: str, line: int, what: str) -> None:
    ((at, _, said),) = [fault for fault in faults(text) if fault[0] == line][:1]
    assert said.startswith(what), said
    assert at == line


def test_every_duplicate_is_named_with_both_lines() -> None:
    found = faults("a: 1\nb: {c: 1, c: 2}\na: 2\nb: 3\n")
    assert [(line, field) for line, field, _ in found] == [(2, "c"), (3, "a"), (4, "b")]
    assert found[1][2] == "given twice (lines 1 and 3): keep one"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("m: {t_lower: min(t_math, t_comms)}", {"m": {"t_lower": "min(t_math, t_comms)"}}),
        ("m: {t: max(a, min(b, c), d), u: 1}", {"m": {"t": "max(a, min(b, c), d)", "u": "1"}}),
        ("m: [max(a, b), c]", {"m": ["max(a, b)", "c"]}),
    ],
)
def test_a_formula_broken_at_its_comma_is_recognised(text: str, meant: object) -> None:
    tree = read_yaml(text, "a.yaml")
    assert plain(tree.root) == meant
    assert {fault.what.partition(":")[0] for fault in tree.faults} == {"YAML ends a formula at a comma"}


def test_sound_flow_collections_are_not_taken_for_broken_formulas() -> None:
    assert not faults("m: {a: f(x), b: ')', c: '(', d: x)}\nl: [a, b(c), 'min(x', 'y)']\n")


def test_what_is_too_deep_or_too_long_stops_the_reading() -> None:
    assert read_yaml("- " * 30 + "a", "a.yaml").stopped == "limit"
    assert read_yaml("a: 1\n" * 3000, "a.yaml").stopped == "limit"
    assert read_yaml("".join(f"a{i}: 1\n" for i in range(3000)), "a.yaml", most_events=20_000).stopped == ""


def test_the_reader_written_in_python_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        "a: 1\nb: {c: [1, 2], d: &x 'y'}\n",
        "a: > 2\n",
        "a: &a [*a]\n",
        "a: 1\na: 2\n",
        "",
        "é: 𝐁\nb: {ü: [1, 2]}\n",
    ]
    fast = [read_yaml(text, "a.yaml") for text in texts]
    monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    slow = [read_yaml(text, "a.yaml") for text in texts]
    assert [(tree.root, tree.stopped) for tree in slow] == [(tree.root, tree.stopped) for tree in fast]
