"""Files of many submissions: one a line or a row, each read by itself."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.results import Status
from grader.sources.finding import find
from grader.sources.rows import document, string_of
from grader.submission import read_bundle
from tests.unit.sources.trees import ANSWERS, bundles, by_key, put, zipped

ROW = '{"student": "s1", "answers": {"q4": {"flops": "2BDF"}}}'


def responses(path: Path) -> dict[str, dict[tuple[str, str], str]]:
    """What the answers are once they are read, by student."""
    read = [read_bundle(bundle) for bundle in bundles(path)]
    return {s.student: {(r.exercise, r.part): r.text for r in s.responses} for s in read}


def test_each_line_of_json_is_a_submission(tmp_path: Path) -> None:
    put(tmp_path, {"answers.jsonl": f"{ROW}\r\n\n  {ROW.replace('s1', 's2')}  \n"})
    one, two = bundles(tmp_path / "answers.jsonl")
    assert (one.key, one.row, one.source) == ("s1", 1, f"{tmp_path}/answers.jsonl:1")
    assert (two.key, two.row, two.source) == ("s2", 3, f"{tmp_path}/answers.jsonl:3")
    assert (one.content, one.file, one.platform, one.named) == (ROW.encode(), "answers.json", "jsonl", False)
    assert one.digest != two.digest
    assert responses(tmp_path / "answers.jsonl") == {s: {("q4", "flops"): "2BDF"} for s in ("s1", "s2")}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"{", "this is not JSON"),
        (b"[1]", "answers are expected"),
        (b"[" * 60_000, "nested too deep"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": "' + b"x" * 70_000 + b'"}', "longer than 64 KiB"),
        (b"hello", "this is not JSON"),
    ],
)
def test_a_broken_line_is_one_unreadable_submission(tmp_path: Path, row: bytes, message: str) -> None:
    path = put(tmp_path, {"a.jsonl": ROW.encode() + b"\n" + row + b"\n" + ROW.encode()}) / "a.jsonl"
    one, bad, two = bundles(path)
    assert one.content == two.content == ROW.encode()
    assert (bad.status, bad.key, bad.row) == (Status.UNREADABLE, "a.jsonl:2", 2)
    assert message in bad.message


def test_latex_with_single_backslashes_is_no_broken_line(tmp_path: Path) -> None:
    row = r'{"student": "s1", "answers": {"q4": {"flops": "\alpha \cdot 2"}}}'
    path = put(tmp_path, {"a.jsonl": row}) / "a.jsonl"
    assert bundles(path)[0].status == Status.GRADED
    assert responses(path) == {"s1": {("q4", "flops"): r"\alpha \cdot 2"}}


def test_a_line_may_tell_when_it_came_in_or_name_no_student(tmp_path: Path) -> None:
    rows = '\ufeff{"submitted_at": "2026-10-02T09:14:41Z", "answers": {}}\n{"student": 7}\n{"student": " "}\n'
    found = bundles(put(tmp_path, {"a.ndjson": rows}) / "a.ndjson")
    assert [b.key for b in found] == ["a.ndjson:1", "7", "a.ndjson:3"]
    assert found[0].times == {"lms": "2026-10-02T09:14:41+00:00"}


def test_utf_16_is_refused_with_the_mend(tmp_path: Path) -> None:
    put(tmp_path, {"a.jsonl": ROW.encode("utf-16")})
    with pytest.raises(SubmissionError, match="save the file as UTF-8"):
        bundles(tmp_path / "a.jsonl")


def test_tables_are_found_in_the_folder_or_archive_that_was_given(tmp_path: Path) -> None:
    put(tmp_path / "class", {"a.jsonl": ROW, "roster.csv": "student,name\ns1,Ada\n", "s2/answers.yaml": ANSWERS})
    assert sorted(by_key(tmp_path / "class")) == ["s1", "s2"]
    put(tmp_path, {"class.zip": zipped({"a.jsonl": ROW})})
    (found,) = bundles(tmp_path / "class.zip")
    assert found.source == f"{tmp_path}/class.zip/a.jsonl:1"


LONG = (
    "Student,Exercise,Part,Response\n"
    "s1,q4,flops,2BDF\n"
    's2,q4,flops,"min(B, D)"\n'
    "s1,q4,bound,never\n"
    "s2,q5,x,max(B,D)\n"
    "\n"
    ",q4,flops,1\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_rows_of_a_student_are_one_submission_wherever_they_stand(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    text = LONG if delimiter == "," else LONG.replace("min(B, D)", "min(B| D)").replace("max(B,D)", "max(B|D)")
    text = text.replace(",", delimiter).replace("|", ",")
    path = put(tmp_path, {"answers.csv": text.replace("\n", "\r\n").encode(encoding)}) / "answers.csv"
    found = by_key(path)
    assert {key: (b.row, b.named, b.platform) for key, b in found.items() if b.status == Status.GRADED} == {
        "s1": (2, True, "table"), "s2": (3, True, "table")
    }  # fmt: skip
    assert found["answers.csv:7"].message == "this row names no student"
    got = responses(path)
    assert got["s1"] == {("q4", "flops"): "2BDF", ("q4", "bound"): "never"}
    assert got["s2"] == {("q4", "flops"): "min(B, D)", ("q5", "x"): "max(B,D)"}


def test_rows_are_given_as_soon_as_a_student_is_complete(tmp_path: Path) -> None:
    rows = "".join(f"s{i},q,a,1\ns{i},q,b,2\n" for i in range(50))
    path = put(tmp_path, {"a.csv": f"student,exercise,part,response\n{rows}"}) / "a.csv"
    assert [c.key for c in find([path])] == [f"s{i}" for i in range(50)]


def test_a_table_of_one_student_is_that_student_s_own_file(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.csv": "student,exercise,part,response\ns1,q4,flops,2BDF\ns1,q4,bound,never\n"})
    put(tmp_path, {"s2/answers.csv": "exercise,part,response\nq4,flops,2BDF\n"})
    for path in (tmp_path, tmp_path / "s1/answers.csv", tmp_path / "s2/answers.csv"):
        assert {(b.platform, b.file) for b in bundles(path)} == {("folder", "answers.csv")}
    assert sorted(by_key(tmp_path)) == ["s1", "s2"]


def test_a_part_given_twice_stays_given_twice(tmp_path: Path) -> None:
    path = put(tmp_path, {"a.csv": "student,exercise,part,response\ns1,q4,a,1\ns2,q4,a,1\ns1,q4,a,2\n"}) / "a.csv"
    read = {s.student: s for s in map(read_bundle, bundles(path))}
    assert "given twice" in read["s1"].responses[0].fault


Q4 = "q4-batched-matmul"
WIDE = (
    "student,name,submitted_at,attempt,q4-batched-matmul.flops,q4-batched-matmul/leading,bound,late\n"
    's1,Ada,2026-10-02T09:14:41Z,2,"min(B, D)",2,never,yes\n'
    "007,,,,,B,\n"
    "s3,Cy,,,min(B,D),2,never,no,no\n"
)


def test_each_row_of_a_table_given_by_name_is_a_submission(tmp_path: Path) -> None:
    path = put(tmp_path, {"a.csv": WIDE}) / "a.csv"
    found = by_key(path)
    assert (found["s1"].name, found["s1"].attempt, found["s1"].late) == ("Ada", 2, True)
    assert found["s1"].times == {"lms": "2026-10-02T09:14:41+00:00"}
    assert found["s1"].source == f"{path}:2"
    assert found["s3"].message == "more cells than columns: put a formula with a comma in quotes"
    assert responses(path) == {
        "s1": {
            ("q4-batched-matmul", "flops"): "min(B, D)",
            ("q4-batched-matmul", "leading"): "2",
            ("", "bound"): "never",
        },
        "007": {("q4-batched-matmul", "leading"): "B"},
        "s3": {},
    }


def test_ids_are_texts_and_the_sign_that_guards_them_is_taken_off(tmp_path: Path) -> None:
    ids = ["007", "0429", "1e5", "'=1+1", "'-5", "-6", "O'Hara"]
    path = put(tmp_path, {"a.csv": "student,q4.flops\n" + "".join(f"{each},B\n" for each in ids)}) / "a.csv"
    assert [b.key for b in bundles(path)] == ["007", "0429", "1e5", "=1+1", "-5", "-6", "O'Hara"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("s2," + "x" * 70_000, "longer than 64 KiB"),
        ("s2," + "x" * 200_000, "longer than 64 KiB"),
        ("s2,x\0y", "NUL"),
        ("s2,caf\udce9", "not UTF-8"),
    ],
)
def test_a_broken_row_is_one_unreadable_submission(tmp_path: Path, row: str, message: str) -> None:
    text = f"student,q4.flops\ns1,B\n{row}\ns3,B\n"
    path = put(tmp_path, {"a.csv": text.encode("utf-8", "surrogateescape")}) / "a.csv"
    one, bad, three = bundles(path)
    assert (one.key, three.key) == ("s1", "s3")
    assert bad.status == Status.UNREADABLE
    assert message in bad.message


def test_a_quotation_mark_that_is_never_closed_costs_what_it_swallows_and_no_more(tmp_path: Path) -> None:
    rows = "".join(f"s{i},B\n" for i in range(30_000))
    path = put(tmp_path, {"a.csv": f'student,q4.flops\nx,"2\n{rows}'}) / "a.csv"
    found = bundles(path)
    assert found[0].status == Status.UNREADABLE
    assert len(found) > 10_000
    assert found[-1].key == "s29999"


def test_one_student_s_rows_are_bounded(tmp_path: Path) -> None:
    rows = "".join(f"s1,q,p{i},{'x' * 900}\n" for i in range(100))
    path = put(tmp_path, {"a.csv": f"student,exercise,part,response\ns2,q,a,1\n{rows}"}) / "a.csv"
    found = by_key(path)
    assert found["s2"].status == Status.GRADED
    assert found["s1"].message == "the student's rows are longer than 64 KiB together"


def test_rosters_and_points_of_plots_are_no_tables_of_submissions(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "s1.yaml": ANSWERS,
            "s1_plot.csv": "B,y\n1,2\n",
            "roster.csv": "student,part,response\ns1,a,b\ns2,a,b\n",
            "people.csv": "username,first_name\na,b\nc,d\n",
        },
    )
    assert list(by_key(tmp_path)) == ["s1"]


TEXT = st.text(max_size=30)


@given(TEXT)
def test_strings_are_json_that_no_latex_is_seen_in(text: str) -> None:
    made = string_of(text)
    assert json.loads(made) == text
    assert "\\" not in made.replace("\\u", "")
    made.encode("utf-8")


@given(TEXT, st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=5))
def test_documents_are_json(student: str, answers: list[tuple[str, str, str]]) -> None:
    data = json.loads(document(student, answers))
    assert data["student"] == student
    for exercise, part, response in reversed(answers):
        if exercise and exercise not in {part for other, part, _ in answers if not other}:
            last = [r for e, p, r in answers if (e, p) == (exercise, part)][-1]
            assert data["answers"][exercise][part] == last
        del response


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["a.csv", "a.jsonl", "a.tsv"]),
    st.lists(st.sampled_from(["student", "part", "response", "exercise", ",", '"', "\n", "\r", "x", ";", "\t", "{", "}",
                              '"student": "s"', "\0", "\xff", "é", "q.a", "\ufeff"]), max_size=40).map("".join),
    st.sampled_from(["utf-8", "latin-1", "utf-16"]),
)  # fmt: skip
def test_any_text_gives_bundles_or_an_error_in_words(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    path = put(tmp_path, {name: text.encode(encoding, "replace")}) / name
    try:
        found = bundles(path)
    except SubmissionError:
        return
    for bundle in found:
        assert "Error" not in bundle.message
        bundle.content.decode("utf-8", "replace")
        f"{bundle.key}{bundle.message}{bundle.source}".encode()
        read_bundle(bundle)
