"""Tests of strip charts, which are rows of dots."""

from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.strips import Dot, Strip, by_place


def strip(*dots, unit="x"):
    scale = "linear" if unit == "%" else "log"
    return Strip(
        [("cupy_raw", list(dots))], "times", unit, Table(["a"], [["b"]]), (("o", "full", "a block"),), scale=scale
    )


def test_a_dot_has_its_value_filling_and_words():
    chart = strip(Dot(1.0, "32x4", "#1a1a1f"), Dot(1.5, "16x16", "#1a1a1f", fill="none"))
    (axes,) = chart.draw().axes
    dots = {line.get_gid(): line for line in axes.lines if str(line.get_gid()).startswith("point")}
    assert {gid: line.get_xdata()[0] for gid, line in dots.items()} == {"point0": 1.0, "point1": 1.5}
    assert [dots[f"point{n}"].get_markerfacecolor() for n in (0, 1)] == ["#1a1a1f", style.PAGE]
    assert chart.points() == ["cupy_raw, 32x4", "cupy_raw, 16x16"]
    assert chart.table() == Table(["a"], [["b"]])


def test_what_is_implausible_is_hatched():
    (axes,) = strip(Dot(10.0, "fast", "#1a1a1f", implausible=True), Dot(5.0, "right", "#1a1a1f")).draw().axes
    hatched = [drawn for drawn in axes.collections if drawn.get_hatch()]
    assert [drawn.get_offsets().tolist() for drawn in hatched] == [[[10.0, 0.0]]]


def test_shares_stand_on_an_axis_from_nothing_to_all():
    (axes,) = strip(Dot(0.4, "40 %", "#1a1a1f"), unit="%").draw().axes
    assert axes.get_xscale() == "linear"
    low, high = axes.get_xlim()
    assert low == 0 < 1 < high < 1.2


def test_places_that_take_the_same_are_filled_alike():
    times = {"resident": 1e-6, "pinned": 2e-6, "pageable": 3e-6}
    assert [dot.fill for dot in by_place(times, {}, color="#1a1a1f")] == ["full", "left", "none"]
    assert {dot.fill for dot in by_place(dict.fromkeys(times, 1e-6), {}, color="#1a1a1f")} == {"full"}
