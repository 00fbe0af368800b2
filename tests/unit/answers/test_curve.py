"""Curves: formulas and points, what is wrong with one, and files that can't be read."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answers.curve import Curve, grid, name_of
from grader.checks.pointwise import Pointwise
from grader.errors import ResponseError
from grader.maths.grammar import read_expression
from grader.protocols import Question

SYMBOLS = ("B", "D", "F")
MEANINGS = {
    "flops": "2*B*D*F",
    "t_math": "2*B*D*F/1.97e14",
    "t_comms": "(2*B*D + D*F + 2*B*F)/8.1e11",
    "peak": "1.97e14",
    "bandwidth": "8.1e11",
}
SMALL, LARGE = {"D": 1024.0, "F": 1024.0}, {"D": 4096.0, "F": 4096.0}
QUESTION = Question(
    symbols=SYMBOLS,
    meanings={name: read_expression(text, SYMBOLS) for name, text in MEANINGS.items()},
    unit="FLOP/s",
    x="B",
    x_range=(1.0, 2048.0),
    series=(SMALL, LARGE),
)
INTENSITY = "2BDF/(2BD + DF + 2BF)"
SOLUTION = Curve().read(f"min(1.97e14, 8.1e11*{INTENSITY})", QUESTION)
BATCHES = (1, 4, 16, 64, 128, 256, 512, 1024, 2048)


def decided(text, question=QUESTION, rel="3%"):
    answer = Curve().read(text, question)
    return Curve().compare(answer, SOLUTION, question, Pointwise(rel=rel))


def right(b, d, f):
    return min(1.97e14, 8.1e11 * 2 * b * d * f / (2 * b * d + d * f + 2 * b * f))


def table(curve=right, batches=BATCHES, sizes=(1024, 4096)):
    return "B,D,F,y\n" + "".join(f"{b},{n},{n},{curve(b, n, n):.6g}\n" for n in sizes for b in batches)


def attached(text):
    return replace(QUESTION, attachments={"plot.csv": text})


@pytest.mark.parametrize(
    "text",
    [
        f"min(1.97e14, 8.1e11*{INTENSITY})",
        f"min({INTENSITY}*8.1e11, 1.97e14)",
        rf"\min\left(1.97 \times 10^{{14}}, 8.1 \times 10^{{11}} \cdot {INTENSITY}\right)",
        "flops/max(t_math, t_comms)",
        "flops / np.maximum(t_math, t_comms)",
        f"min(peak, bandwidth*{INTENSITY})",
        f"y = min(peak, bandwidth*{INTENSITY})",
        f"min(197, 0.81*{INTENSITY}) TFLOP/s",
        "min(peak, flops/t_comms)",
    ],
)
def test_the_right_curve_is_exact_in_any_form(text):
    decision = decided(text)
    assert (decision.verdict, decision.relation, decision.remarks) == ("correct", "exact", ())


def test_a_curve_within_the_share_at_every_point_is_right():
    near = f"min(1.97e14, 8.2e11*{INTENSITY})"
    assert decided(near).relation == "tolerance"
    assert decided(near, rel="1%").verdict == "incorrect"


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (f"max(1.97e14, 8.1e11*{INTENSITY})", "the larger of the two roofs"),
        (f"8.1e11*{INTENSITY}", "never flattens"),
        ("1.97e14", "flat from the start"),
        (f"min(1.5e14, 8.1e11*{INTENSITY})", "the plateau is not at this accelerator's peak"),
        (f"min(2.2e14, 8.1e11*{INTENSITY})", "the plateau is not at this accelerator's peak"),
        ("min(1.97e14, 8.1e11*2BDF/(2BD + 2DF + 2BF))", "the rising part"),
        ("min(1.97e14, 8.1e11*2B)", "the curves for all sizes coincide"),
        ("2BDF", "the y values are not a rate in FLOP/s"),
        (INTENSITY, "the y values are not a rate in FLOP/s"),
        ("sqrt(B - 100)*1e13", "no value"),
        (f"min(1.97e14, 8.1e11*{INTENSITY}*(1 + 4e-6*B^2/(1 + 1e-5*B^2)))", "the ridge"),
        (f"min(1.97, 8.1e-3*{INTENSITY}) byte/s", "the unit is FLOP/s"),
    ],
)
def test_what_is_wrong_with_a_curve_is_named(text, remark):
    decision = decided(text)
    assert decision.verdict == "incorrect"
    assert any(remark in said for said in decision.remarks)


def test_the_remarks_never_tell_the_right_values():
    wrong = ["2BDF", "1.97e14", f"min(1.5e14, 8.1e11*{INTENSITY})", f"8e11*{INTENSITY}", "min(1e14, 1e11*B)"]
    said = " ".join(remark for text in wrong for remark in decided(text).remarks)
    assert not any(value in said for value in ("1.97", "8.1", "197", "231", "138", "e+"))


def test_a_fault_of_one_curve_names_its_size():
    decision = decided("min(1.97e14, 8.1e11*2BDF/(2BD + 1024*1024 + 2BF))")
    assert decision.remarks
    assert all(remark.startswith("D = F = 4096: ") for remark in decision.remarks)


@pytest.mark.parametrize("text", ["", "it rises and then stays flat", "min(peak, AI*bandwidth)", "1/0", "B > 3 or D"])
def test_what_is_no_curve_is_refused(text):
    with pytest.raises(ResponseError):
        Curve().read(text, QUESTION)


def test_a_formula_in_a_name_that_no_size_gives_is_not_a_curve():
    question = replace(QUESTION, symbols=(*SYMBOLS, "G"))
    assert "depends on G" in decided("min(1.97e14, G)", question).remarks[0]
    assert Curve().read("G", question).sample(SMALL) == ()


# points


def test_points_on_the_curve_are_right_in_any_order_of_rows_and_columns():
    assert decided("plot.csv", attached(table())).relation == "tolerance"
    lines = table().splitlines()
    shuffled = "\n".join([lines[0], *reversed(lines[1:])])
    assert decided("plot.csv", attached(shuffled)).verdict == "correct"
    turned = "\n".join(";".join(reversed(line.split(","))) for line in lines)
    assert decided("`plot.csv`", attached("\ufeff# my points\n" + turned)).verdict == "correct"


def test_both_formula_and_points_must_be_right():
    formula = "flops/max(t_math, t_comms)"
    assert decided(f"{formula}; plot.csv", attached(table())).verdict == "correct"
    assert decided(f"plot.csv; {formula}", attached(table())).verdict == "correct"
    assert decided("1.97e14; plot.csv", attached(table())).verdict == "incorrect"
    assert decided(f"{formula}; plot.csv", attached(table(lambda *_: 1.97e14))).verdict == "incorrect"


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (table(batches=(1, 2, 4, 512, 1024)), "D = F = 1024: 5 points where at least 6 are asked"),
        (table(batches=(1, 2, 4, 8, 16, 32)), "D = F = 4096: all points lie on one side of the ridge"),
        (table(batches=(512, 600, 700, 800, 900, 1000)), "D = F = 1024: all points lie on one side of the ridge"),
        (table(sizes=(1024,)), "D = F = 4096: no points"),
        (table(lambda b, d, f: right(b, d, f) / 1e12), "not a rate in FLOP/s"),
        (table(lambda b, d, f: min(1.5e14, right(b, d, f))), "plateau"),
        (table(lambda b, d, f: max(1.97e14, 8.1e11 * 2 * b)), "the larger of the two roofs"),
        (table(lambda b, d, f: right(b, 5120 - d, 5120 - f)), "order of the curves"),
    ],
)
def test_what_is_missing_or_wrong_in_the_points_is_named(text, remark):
    decision = decided("plot.csv", attached(text))
    assert decision.verdict == "incorrect"
    assert any(remark in said for said in decision.remarks)


def test_one_point_off_the_curve_is_enough_to_be_wrong():
    lines = table().splitlines()
    lines[5] = "128,1024,1024,1.2e14"
    assert decided("plot.csv", attached("\n".join(lines))).verdict == "incorrect"


def test_every_bad_row_is_named_with_its_line():
    bad = ["1,1024,1024,abc", "2,1024", "", '3,1024,1024,"1,5"', "4,1024,1024,-5", ",1,1,1"]
    text = "\n".join(["B,D,F,y", *bad, "5,1024,1024,5", "6,1,1,x", "7,1,1,0"])
    with pytest.raises(ResponseError) as caught:
        Curve().read("plot.csv", attached(text))
    said = str(caught.value)
    assert all(f"line {line}: " in said for line in (2, 3, 5, 6, 7))
    assert "line 8" not in said
    assert said.endswith("and 2 more")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no column y"),
        ("1,1024,1024,5", "unknown column"),
        ("b,D,F,y\n", "did you mean B?"),
        ("D,F,y\n", "no column B"),
        ("B,D,F,y\n1,1024,1024,5 TB\n", "the unit TB is not FLOP/s"),
        ("B,y\n1,5\n", "add the columns D, F"),
        ("B,D,F,y\n1,1024,1024,5\n1,1024,1024,6\n", "given twice"),
        ("B,D,F,y\n" + "1,1024,1024,5\n" * 6000, "more than"),
        ("B,D,F,y\n1,1024,1024,9**9**9\n", "line 2"),
        ("B,D,F,y\n1,1024,1024,\0\n", "line 2"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_the_mend(text, says):
    with pytest.raises(ResponseError, match=says.replace("?", r"\?")):
        Curve().read("plot.csv", attached(text))


def test_rows_of_other_sizes_are_left_out_with_a_remark():
    answer = Curve().read("plot.csv", attached(table() + "1,2,2,3\n"))
    assert "1 row of another size" in answer.remarks[0]
    assert len(answer.points[0]) == len(BATCHES)


def test_values_may_carry_their_unit():
    answer = Curve().read("plot.csv", attached("B,D,F,y\n1,1024,1024,1.6 TFLOP/s\n"))
    assert answer.points[0] == ((1.0, 1.6e12),)


@pytest.mark.parametrize("name", ["plots.csv", "../plot.csv", "/etc/passwd.csv", "plot.CSV"])
def test_a_file_that_is_not_beside_the_answers_is_said_to_be_missing(name):
    with pytest.raises(ResponseError, match="there is no file"):
        Curve().read(name, attached(table()))


@pytest.mark.parametrize("text", ["a.csv; b.csv", "B; D", "B; plot.csv; D"])
def test_two_formulas_or_two_files_are_two_answers(text):
    with pytest.raises(ResponseError, match="two answers"):
        Curve().read(text, attached(table()))


# what the pages draw


def test_a_formula_is_sampled_evenly_on_a_log_axis_and_points_as_they_are():
    points = SOLUTION.sample(SMALL)
    assert (points[0][0], points[-1][0], len(points)) == (1.0, 2048.0, 60)
    assert points[30][0] / points[29][0] == pytest.approx(points[1][0] / points[0][0])
    assert all(y == pytest.approx(right(x, 1024, 1024)) for x, y in points)
    typed = Curve().read("plot.csv", attached(table()))
    assert [x for x, _ in typed.sample(LARGE)] == list(BATCHES)


def test_the_reading_is_shown_and_reads_back():
    both = Curve().read("min(peak, flops); plot.csv", attached(table()))
    assert both.read_as == "min(peak, flops); plot.csv"
    assert both.latex.endswith(r";\ \text{plot.csv}")
    assert both.mathml.count("<math") == 1
    assert Curve().read(both.read_as, attached(table())).value == both.value
    only = Curve().read("plot.csv", attached(table()))
    assert (only.value, only.read_as, only.candidates) == (None, "plot.csv", ())


def test_sizes_are_named_as_people_write_them():
    assert name_of({"D": 1024.0, "F": 1024.0}) == "D = F = 1024"
    assert name_of({"D": 1024.0, "F": 4096.0}) == "D = 1024, F = 4096"


@settings(deadline=None)
@given(st.floats(1.05, 50), st.sampled_from(["peak", "bandwidth", "both"]), st.booleans())
def test_a_roof_off_by_more_than_the_share_is_never_right(factor, roof, up):
    factor = factor if up else 1 / factor
    peak = 1.97e14 * (factor if roof != "bandwidth" else 1)
    bandwidth = 8.1e11 * (factor if roof != "peak" else 1)
    decision = decided(f"min({peak:.6e}, {bandwidth:.6e}*{INTENSITY})")
    assert decision.verdict == "incorrect"
    assert decision.remarks


@settings(deadline=None)
@given(st.text(alphabet="B,DFy;\t\n0123456789.e-+ \"'ab#", max_size=80))
def test_any_file_is_read_or_refused(text):
    try:
        shown = Curve().read("plot.csv", attached(text)).read_as
    except ResponseError as error:
        shown = str(error)
    assert shown


def test_the_ends_of_the_grid_are_the_ends_of_the_axis():
    assert grid((1.0, 2048.0))[0] == 1.0
    assert grid((1.0, 2048.0))[-1] == 2048.0
