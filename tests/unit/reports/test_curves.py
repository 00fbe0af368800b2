"""Plots: what they say in numbers, and the drawing."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.curves import at, curves, describe, short, table
from grader.reports.svg import plot_svg
from grader.results import Plot, Series

_NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawing(plot: Plot) -> ET.Element:
    svg = str(plot_svg(plot, "p1")).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return ET.fromstring(svg)


def one(*points: tuple[float, float], kind: str = "student") -> Plot:
    return Plot(x_label="B", y_label="FLOP/s", series=(Series(label="a", kind=kind, points=points),))


def test_the_ridge_is_where_the_rising_part_meets_the_plateau() -> None:
    points = tuple((2.0**i, min(1e14, 4e11 * 2.0**i)) for i in range(12))
    (curve,) = curves(one(*points))
    assert curve.ridge == pytest.approx((250, 1e14))


def test_the_ridge_of_the_exact_intensity_is_found_between_the_points(plot: Plot) -> None:
    exact = {"D = F = 1024": 462.1, "D = F = 4096": 276.0}
    found = {c.label: c.ridge[0] for c in curves(plot) if c.reference and c.ridge}
    assert found == pytest.approx(exact, rel=0.01)


def test_a_curve_that_never_flattens_has_no_ridge() -> None:
    (curve,) = curves(one(*((2.0**i, 4e11 * 2.0**i) for i in range(12))))
    assert curve.ridge is None
    assert "without a plateau" in describe(one(*((2.0**i, 4e11 * 2.0**i) for i in range(12))))


def test_points_that_have_no_logarithm_are_left_out() -> None:
    (curve,) = curves(one((0, 1), (1, 0), (-1, 5), (2, float("nan")), (3, float("inf")), (4, 8), (2, 4)))
    assert curve.points == ((2, 4), (4, 8))


def test_values_between_points_follow_the_log_log_line() -> None:
    (curve,) = curves(one((1, 1), (100, 10_000)))
    assert at(curve, 10) == pytest.approx(100)
    assert at(curve, 100) == 10_000
    assert at(curve, 101) is None


def test_numbers_are_short() -> None:
    assert [short(v) for v in (1.97e14, 2048.0, 4.757, 0.5, 1e-7, None)] == [
        "1.97e14",
        "2048",
        "4.76",
        "0.5",
        "1e-7",
        "–",
    ]


def test_the_table_has_a_few_rows_from_end_to_end(plot: Plot) -> None:
    head, rows = table(plot)
    assert head == (
        "Batch size B",
        "D = F = 1024, yours",
        "D = F = 4096, yours",
        "D = F = 1024, reference",
        "D = F = 4096, reference",
    )
    assert [row[0] for row in rows][:: len(rows) - 1] == ["1", "2048"]
    assert all(len(row) == len(head) for row in rows)


def test_the_drawing_is_labelled(plot: Plot) -> None:
    svg = drawing(plot)
    assert svg.get("role") == "img"
    ids = {element.get("id"): element.text for element in svg.iter() if element.get("id")}
    assert svg.get("aria-labelledby") == "p1-title p1-desc"
    assert ids["p1-title"] == "Attainable rate (FLOP/s) against Batch size B, both axes logarithmic"
    assert "flat from 462" in (ids["p1-desc"] or "")
    texts = [element.text for element in svg.iter(f"{_NAMESPACE}text")]
    assert {"10¹⁴", "1000", "Batch size B", "Attainable rate (FLOP/s)", "462"} <= set(texts)
    assert texts.count("D = F = 4096") == 1


def test_the_reference_lies_over_the_students_curves(plot: Plot) -> None:
    kinds = [(line.get("class") or "").split()[1] for line in drawing(plot).iter(f"{_NAMESPACE}polyline")]
    assert kinds == ["student", "student", "reference", "reference"]


def test_labels_never_overlap(plot: Plot) -> None:
    many = replace(plot, series=tuple(replace(plot.series[1], label=f"c{i}") for i in range(8)))
    labels = [t for t in drawing(many).iter(f"{_NAMESPACE}text") if "label" in (t.get("class") or "")]
    heights = sorted(float(t.get("y") or 0) for t in labels)
    assert len(heights) == 8
    assert all(b - a >= 15 for a, b in pairwise(heights))


numbers = st.floats() | st.floats(min_value=1e-300, max_value=1e300) | st.integers(1, 10**6).map(float)


@given(st.lists(st.tuples(numbers, numbers), max_size=12), st.text(max_size=30))
def test_any_points_and_labels_give_a_well_formed_drawing(points: list[tuple[float, float]], label: str) -> None:
    series = (Series(label=label, kind="student", points=tuple(points)),)
    svg = drawing(Plot(x_label=label, y_label=label, series=series))
    assert {e.tag.removeprefix(_NAMESPACE) for e in svg.iter()} <= {
        "svg", "title", "desc", "path", "text", "polyline", "circle",
    }  # fmt: skip
    lines = [line.get("points") or "" for line in svg.iter(f"{_NAMESPACE}polyline")]
    coordinates = [float(number) for line in lines for number in line.replace(",", " ").split()]
    assert all(-1 <= n <= 521 for n in coordinates)
    table(Plot(x_label=label, y_label=label, series=series))
