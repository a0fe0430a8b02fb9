"""Tests of the heatmap of speedups."""

from accelbench.figures.cells import Cell, SpeedupMap


def speedup_map(cells, columns):
    return SpeedupMap(cells, dict.fromkeys(cells, "#000000"), columns)


def test_implausible_cell_is_framed_and_called_so():
    chart = speedup_map({"lazy": [Cell(3.0, implausible=True), Cell(2.0), None]}, ["a", "b", "c"])
    axes = chart.draw().axes[0]
    assert [patch.contains_point(axes.transData.transform((x + 0.5, 0.5))) for x in range(3)
            for patch in axes.patches if not patch.get_hatch()] == [True, False, False]  # fmt: skip
    assert chart.table().rows == [["lazy", "3.00× (implausible)", "2.00×", ""]]


def test_largest_geometric_mean_stands_on_top():
    """The geometric mean of 2 and 8 is 4. Implausible and missing values do not count."""
    cells = {
        "slow": [Cell(0.5), Cell(1.0)],
        "three": [Cell(3.0), Cell(None, "error")],
        "four": [Cell(2.0), Cell(8.0)],
        "lazy": [Cell(900.0, implausible=True), Cell(2.5)],
    }
    chart = speedup_map(cells, ["a", "b"])
    assert [row[0] for row in chart.table().rows] == ["four", "three", "lazy", "slow"]
    assert [label.get_text() for label in chart.draw().axes[0].get_yticklabels()] == ["four", "three", "lazy", "slow"]


def test_another_algorithm_is_hatched():
    chart = speedup_map({"cffi": [Cell(3.0, unlike=True), Cell(2.0)]}, ["a", "b"])
    axes = chart.draw().axes[0]
    (patch,) = (patch for patch in axes.patches if patch.get_hatch())
    assert patch.contains_point(axes.transData.transform((0.5, 0.5)))
