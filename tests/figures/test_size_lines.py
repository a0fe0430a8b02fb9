"""Tests of line charts against the problem size."""

from accelbench.figures import style
from accelbench.figures.canvas import HATCHED
from accelbench.figures.lines import MOST_MARKS, Line, LineChart

LOOK = style.Look("#000000", "o", "-")


def test_lines_end_where_their_numbers_do():
    line = Line("one", LOOK, [10, 1000], [1e-6, 1e-4], [0.9e-6, 0.9e-4], [1.1e-6, 1.1e-4])
    axes = LineChart([line], "elements", caches=(("L2", 100),)).draw().axes[0]
    curve = next(drawn for drawn in axes.lines if drawn.get_gid() == "line0-curve")
    assert list(curve.get_ydata()) == [1e-6, 1e-4]
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_interval_that_spans_decades_leaves_the_lines_their_room():
    line = Line("one", LOOK, [10, 1000], [1e-6, 1e-4], [1e-12, 0.9e-4], [1e3, 1.1e-4])
    low, high = LineChart([line], "elements").draw().axes[0].get_ylim()
    assert low > 1e-7
    assert high < 1e-3


def test_implausible_case_is_hatched_and_does_not_lead():
    lazy = Line("lazy", LOOK, [10, 1000], [1e-6, 1e-9], implausible=[False, True])
    right = Line("right", LOOK, [10, 1000], [1e-6, 1e-4], implausible=[False, False])
    chart = LineChart([lazy, right], "elements")
    (hatched,) = (drawn for drawn in chart.draw().axes[0].collections if drawn.get_hatch())
    assert hatched.get_offsets().tolist() == [[1000, 1e-9]]
    assert "the best is right" in chart.alt_text()
    assert chart.alt_text().endswith(HATCHED)
    assert LineChart([lazy], "elements").alt_text() == HATCHED


def test_label_of_the_times_stands_beside_its_ticks():
    line = Line("one", LOOK, [10, 1000], [1e-6, 1e-4])
    axes = LineChart([line], "elements").draw().axes[0]
    axes.figure.get_tightbbox()
    label = axes.yaxis.label.get_window_extent()
    ticks = [tick.label1.get_window_extent() for tick in axes.yaxis.get_major_ticks()]
    assert label.x1 < min(tick.x0 for tick in ticks)


def test_line_of_hundreds_of_sizes_has_few_ticks_and_markers():
    sizes = list(range(10, 510))
    axes = LineChart([Line("one", LOOK, sizes, [1e-6 * size for size in sizes])], "elements").draw().axes[0]
    curve = next(drawn for drawn in axes.lines if drawn.get_gid() == "line0-curve")
    assert len(curve.get_ydata()) == 500
    assert len(axes.get_xticks()) <= MOST_MARKS
    assert len(sizes[:: curve.get_markevery()]) <= MOST_MARKS
