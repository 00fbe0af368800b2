"""The answer file to fill in shows what is asked and nothing of the key."""

from grader.sheet import WIDTH, Sheet, SheetPart, sheet
from grader.submission import read_answers

ONE = Sheet(
    id="q4-batched-matmul",
    title="Batched product",
    source="Book #1",
    prompt="A long question that goes on and on, " * 8 + "\n\n- first\n- second\n",
    symbols={"B": "batch size", "D": "contracted dimension"},
    given={"peak": "1.97e14 FLOP/s"},
    parts=(
        SheetPart(id="flops", type="expression", prompt="How many operations?", unit="FLOP"),
        SheetPart(id="critical", type="threshold", symbol="B"),
        SheetPart(id="bound", type="choice", prompt="Which?", options={"never": "for no B", "always": "for every B"}),
        SheetPart(id="plot", type="curve", unit="FLOP/s", symbols=("flops",)),
        SheetPart(id="other", type="a_new_type"),
    ),
)


def test_a_sheet_reads_back_with_every_answer_missing_and_nothing_to_remark() -> None:
    answers = read_answers(sheet([ONE], "s1024"), "answers.yaml")
    assert answers.student == "s1024"
    assert answers.remarks == ()
    assert [(r.exercise, r.part, r.text) for r in answers.responses] == [
        ("q4-batched-matmul", part.id, "") for part in ONE.parts
    ]


def test_a_sheet_that_is_filled_in_reads_back_as_typed() -> None:
    text = sheet([ONE], "s1").replace("    flops:\n", "    flops: 2BDF\n").replace("critical:\n", "critical: > 243\n")
    answers = read_answers(text, "answers.yaml")
    assert [r.text for r in answers.responses] == ["2BDF", "> 243", "", "", ""]


def test_lines_are_short_and_without_blanks_at_their_end() -> None:
    lines = sheet([ONE, ONE], "s1").splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert all(line == line.rstrip() for line in lines)


def test_a_sheet_says_what_is_expected() -> None:
    text = sheet([ONE])
    for expected in (
        "A formula in B, D; unit: FLOP.",
        "A condition (an inequality) in B.",
        "One of these words:",
        "#   never: for no B",
        "A formula in B, D, flops for the curve, or points in a CSV",
        "# a_new_type.",
        "# - second",
        "Given: peak = 1.97e14 FLOP/s",
        "Batched product (Book #1)",
    ):
        assert expected in text, expected


def test_any_student_s_name_can_stand_on_the_sheet() -> None:
    for name in ("s1", "O'Neil", "Ada Lovelace", "a: b", "#1", "no", "null x", "[x]", "José", "*x", "0123"):
        assert read_answers(sheet([ONE], name), "a.yaml").student == name
    assert read_answers(sheet([ONE], "a\nb"), "a.yaml").student == r"a\x0ab"
    assert read_answers(sheet([ONE]), "a.yaml").student is None
