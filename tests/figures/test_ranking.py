"""Rankings at one size."""

from accelbench.figures import style
from accelbench.figures.lines import Line
from accelbench.figures.ranking import Ranking


def test_rankings_put_the_fastest_on_top():
    look = style.Look("#000000", "o", "-")
    slow, fast = (Line(name, look, [64], [y], [y], [y]) for name, y in (("slow", 2e-3), ("fast", 1e-6)))
    axes = Ranking([slow, fast]).draw().axes[0]
    bottom, top = axes.get_ylim()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["fast", "slow"]
    assert bottom > top
