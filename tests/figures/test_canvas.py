"""Tests of axes in figures: labels do not overlap, and intervals are drawn whole."""

import itertools

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from accelbench.figures import canvas, style
from accelbench.figures.cells import Cell, SpeedupMap
from accelbench.figures.lines import Line, LineChart
from accelbench.figures.strips import Dot, Strip

LOOK = style.Look("#000000", "o", "-")
WIDE = Dot(4.8e-6, "4.80 µs", "#1a1a1f", ends=(0.9e-6, 25e-6))
ROWS = [(f"{us} µs", [Dot(us * 1e-6, f"{us} µs", "#1a1a1f")]) for us in (510, 770)]


@pytest.fixture(autouse=True)
def own_style():
    canvas.use_style()


def boxes(axis):
    """Return {text: bounding box in points} of the visible labels, in ascending order of their values."""
    renderer = FigureCanvasAgg(axis.axes.figure).get_renderer()
    low, high = sorted(axis.get_view_interval())
    side = 0 if axis.axis_name == "x" else 1
    seen = [each for each in axis.get_majorticklabels() if each.get_visible() and each.get_text()]
    seen = [each for each in seen if low <= each.get_position()[side] <= high]
    scale = 72 / axis.axes.figure.dpi
    return {each.get_text(): each.get_window_extent(renderer).extents * scale for each in seen}


def sizes(*every):
    return LineChart([Line("one", LOOK, list(every), [1e-6 * size for size in every])], "elements")


@pytest.mark.parametrize(
    ("chart", "shown"),
    [
        (sizes(1000, 10**7, 5 * 10**7), ["10³", "10⁷", "5·10⁷"]),
        (sizes(*(2**n for n in range(4, 25))), None),
        (Strip(ROWS, "time per call", "s"), None),
    ],
    ids=["sizes", "powers of two", "less than a decade"],
)
def test_labels_of_an_axis_do_not_touch(chart, shown):
    found = boxes(canvas.drawn(chart).axes[0].xaxis)
    assert shown is None or list(found) == shown
    assert len(found) > 1
    for before, after in itertools.pairwise(found.values()):
        assert after[0] - before[2] > 2


def test_names_are_never_hidden():
    columns = [f"kernel {n}" for n in range(9)]
    cells = {f"way {n}": [Cell(2.0)] * 9 for n in range(30)}
    chart = SpeedupMap(cells, dict.fromkeys(cells, "#000000"), columns)
    axes = canvas.drawn(chart).axes[0]
    assert list(boxes(axes.xaxis)) == columns
    assert list(boxes(axes.yaxis)) == [f"way {n}" for n in range(30)]


def test_what_an_axis_is_called_stands_beside_its_labels():
    line = Line("one", LOOK, [1, 2, 4], [1.2e11, 2e11, 9e11])
    axes = canvas.drawn(LineChart([line], "order", "flop/s", x_name="order")).axes[0]
    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    axes.figure.get_tightbbox(renderer)
    name = axes.yaxis.label.get_window_extent(renderer)
    widest = min(box[0] for box in boxes(axes.yaxis).values())
    assert name.x1 * 72 / axes.figure.dpi < widest


def test_what_is_labelled_is_what_comes_first():
    assert canvas.legible([9, 6, 3, 0], lambda x: x, lambda x: 2.0) == [9, 3]
    assert canvas.legible([9, 3, 0], lambda x: x, lambda x: 0 if x == 3 else 4.0) == [9, 3]


def test_intervals_are_drawn_whole():
    chart = Strip([("wide", [WIDE])], "time per call", "s", texts=("4.80 µs",))
    low, high = canvas.drawn(chart).axes[0].get_xlim()
    assert low < WIDE.ends[0]
    assert high > WIDE.ends[1]
    assert [sign.label for sign in chart.key()] == ["wide: 4.80 µs"]
