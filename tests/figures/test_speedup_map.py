"""The heatmap of speedups."""

from accelbench.figures.speedup_map import Cell, MapRow, SpeedupMap


def test_implausible_cell_is_hatched_and_called_so():
    chart = SpeedupMap([MapRow("lazy", "#000000", [Cell(3.0, implausible=True), Cell(2.0), None])], ["a", "b", "c"])
    axes = chart.draw().axes[0]
    assert [patch.contains_point(axes.transData.transform((x + 0.5, 0.5))) for x in range(3)
            for patch in axes.patches if patch.get_hatch()] == [True, False, False]  # fmt: skip
    assert chart.table().rows == [["lazy", "3.00× (implausible)", "2.00×", ""]]
