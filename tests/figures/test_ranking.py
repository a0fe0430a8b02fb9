"""Tests of rankings at one size, and of the files of a figure."""

import xml.etree.ElementTree as ElementTree

from accelbench.figures import style
from accelbench.figures.lines import Line
from accelbench.figures.strips import ranking
from accelbench.pages import pictures

LOOK = style.Look("#1a1a1f", "o", "-")
SLOW, FAST = (Line(name, LOOK, [64], [y], [y], [y]) for name, y in (("slow", 2e-3), ("fast", 1e-6)))


def test_rankings_put_the_fastest_on_top():
    axes = ranking([SLOW, FAST]).draw().axes[0]
    bottom, top = axes.get_ylim()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["fast", "slow"]
    assert bottom > top


def test_an_interval_over_decades_leaves_room_for_the_values():
    wide = Line("wide", LOOK, [64], [1e-3], [1e-12], [1e6])
    low, high = ranking([SLOW, FAST, wide]).draw().axes[0].get_xlim()
    assert 1e-8 < low < 1e-6 < 2e-3 < high < 1


def test_a_figure_of_a_page_is_three_files(tmp_path):
    plot = pictures.Plot("sum", ranking([SLOW, FAST]), "Sums", "Which is fast.")
    (tmp_path / "of_before.png").touch()
    shown = pictures.draw_all([plot], tmp_path)
    assert {path.name: path.read_bytes()[:4] for path in tmp_path.iterdir() if path.suffix != ".svg"} == {
        "sum.pdf": b"%PDF",
        "sum.png": b"\x89PNG",
    }
    assert ElementTree.parse(tmp_path / "sum.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert set(shown) == {"sum"}
