"""Lines against the block size."""

import itertools
import math

from accelbench.figures import block_lines, style
from accelbench.figures.block_lines import BlockLines
from accelbench.figures.canvas import LETTER, PLOT_WIDTH
from accelbench.figures.lines import Line


def test_far_from_every_peak_times_are_shown():
    ticks = {math.log2(b): str(b) for b in (32, 64, 128)}
    look = style.Look("#000000", "o", "-")
    line = Line("one", look, list(ticks), [1e-3, 2e-3, 9e-2], best=5.0, tie=[5.0])
    upper, *lower = BlockLines([line], ticks).draw().axes
    assert upper.get_ylabel() == "time per call"
    assert upper.get_yscale() == "log"
    assert not lower


def test_labels_of_block_sizes_do_not_touch():
    ticks = {math.log2(b): str(b) for b in (1, 2, 4, 8, 16, 32, 33, 64, 100, 128, 256, 512, 1024, 2048, 4096)}
    kept = block_lines._legible(ticks)
    per_point = (max(ticks) - min(ticks) + 0.5) / PLOT_WIDTH
    for a, b in itertools.pairwise(kept):
        assert (b - a) / per_point > LETTER * (len(ticks[a]) + len(ticks[b])) / 2
    assert math.log2(4096) in kept
