"""Maps of bandwidths in per cent of the fastest."""

from accelbench.figures.share_maps import ShareMaps, SharePanel, ShareRow


def test_a_kernel_that_a_backend_does_not_have_is_blank():
    rows = [ShareRow("cupy", "#000000", [4e9, 3e9]), ShareRow("pycuda", "#000000", [None, 2e9])]
    chart = ShareMaps([SharePanel("GPU", 4e9, rows)], ["copy", "add"], "copy")
    assert [row[1:3] for row in chart.table().rows] == [["100%", "75%"], ["", "50%"]]
    axes = chart.draw().axes[0]
    assert len(axes.patches) == 3
    assert "0%" not in {text.get_text() for text in axes.texts}
