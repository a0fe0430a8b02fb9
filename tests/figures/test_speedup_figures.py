"""Lines, rankings and heat maps of times and speedups."""

import itertools

import pytest

from accelbench.figures import canvas, speedup_figures, style
from accelbench.report import views


def test_lines_end_where_their_numbers_do():
    look = style.Look("#000000", "o", "-")
    line = canvas.Line("one", look, [10, 1000], [1e-6, 1e-4], [0.9e-6, 0.9e-4], [1.1e-6, 1.1e-4])
    figure = speedup_figures.against_size([line], "elements", [("L2", 100)], "time")
    curve = next(drawn for drawn in figure.axes[0].lines if drawn.get_gid() == "line0-curve")
    assert list(curve.get_ydata()) == [1e-6, 1e-4]
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"


def test_implausible_case_is_hatched_and_does_not_lead():
    look = style.Look("#000000", "o", "-")
    lazy = canvas.Line("lazy", look, [10, 1000], [1e-6, 1e-9], implausible=[False, True])
    right = canvas.Line("right", look, [10, 1000], [1e-6, 1e-4], implausible=[False, False])
    axes = speedup_figures.against_size([lazy, right], "elements", [], "time").axes[0]
    (hatched,) = (drawn for drawn in axes.collections if drawn.get_hatch())
    assert hatched.get_offsets().tolist() == [[1000, 1e-9]]
    told = views._fastest_at_end([lazy, right], style.seconds, lowest=True)
    assert "the lead is with right" in told
    assert told.endswith(views.HATCHED)
    assert views._fastest_at_end([lazy], style.seconds, lowest=True) == views.HATCHED
    cells = [[speedup_figures.Cell(3.0, implausible=True), speedup_figures.Cell(2.0)]]
    axes = speedup_figures.heatmap(["lazy"], ["#000000"], ["a", "b"], cells).axes[0]
    assert [patch.get_xy() for patch in axes.patches if patch.get_hatch()] == [(0.0, 0.0)]
    assert [views._cell_text(cell) for cell in cells[0]] == ["3.00× (implausible)", "2.00×"]


def test_rankings_put_the_fastest_on_top():
    look = style.Look("#000000", "o", "-")
    slow, fast = (canvas.Line(name, look, [64], [y], [y], [y]) for name, y in (("slow", 2e-3), ("fast", 1e-6)))
    axes = speedup_figures.ranking([slow, fast]).axes[0]
    bottom, top = axes.get_ylim()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["fast", "slow"]
    assert bottom > top


@pytest.mark.parametrize("places", [[0.5] * 9, [0, 0, 1, 1], [0.1, 0.5, 0.51, 0.9], [1.0], [0.98, 0.99, 1.0]])
def test_labels_keep_their_order_and_distance(places):
    gap = 0.1
    moved = canvas.spread(places, gap)
    assert all(b - a >= gap - 1e-9 for a, b in itertools.pairwise(moved))
    assert moved[0] >= -1e-9
    assert moved[-1] <= 1 + 1e-9


def test_labels_with_room_stay_where_they_are():
    assert canvas.spread([0.1, 0.4, 0.9], 0.1) == pytest.approx([0.1, 0.4, 0.9])
