"""A chart of each kind that slides show, of few rows or lines and of many."""

from dataclasses import replace

import numpy as np
import pytest

from accelbench.analysis.verdicts import Comparison
from accelbench.figures import style
from accelbench.figures.answer_lines import AnswerLines
from accelbench.figures.block_lines import BlockLine, BlockLines
from accelbench.figures.function_times import FunctionTime, FunctionTimes
from accelbench.figures.line_scores import LineScores
from accelbench.figures.lines import Line
from accelbench.figures.listing import Listing
from accelbench.figures.notice import Notice
from accelbench.figures.option_lines import OptionLines
from accelbench.figures.parameter_maps import ParameterMap, ParameterMaps
from accelbench.figures.polygon_mask import PolygonMask
from accelbench.figures.ranking import Ranking
from accelbench.figures.ratios import Ratios
from accelbench.figures.roofline import Point, Roofline
from accelbench.figures.share_maps import ShareMaps, SharePanel, ShareRow
from accelbench.figures.size_lines import SizeLines
from accelbench.figures.speedup_map import Cell, MapRow, SpeedupMap
from accelbench.figures.startup_bars import StartupBar, StartupBars
from accelbench.figures.then_and_now import Bar, ThenAndNow
from accelbench.figures.thread_lines import ThreadLines
from accelbench.figures.transfer_speedups import TransferSpeedup, TransferSpeedups


def lines(count):
    looks = style.looks({f"numba_{n}": "numba" for n in range(count)})
    own = [Line(name, look, [1000, 100000], [1e-6, 1e-4 * (1 + n)]) for n, (name, look) in enumerate(looks.items())]
    return SizeLines(own, "elements")


def speedups(count, columns=("vector_sum", "matmul")):
    cells = [Cell(2.0), Cell(None, "too slow")] * len(columns)
    rows = [MapRow(f"numba_{n}", style.color("numba"), cells[: len(columns)]) for n in range(count)]
    return SpeedupMap(rows, list(columns))


def blocks(count):
    """Maps of so many values across, and of three down."""
    times = {(2**x, 2**y): 1e-3 * (1 + x * y) for x in range(count) for y in range(3)}
    return ParameterMaps([ParameterMap(f"numba_{n}", style.color("numba"), times) for n in range(5)], "bx", "by")


def ratios(count):
    found = [Comparison(1 + 0.01 * n, 1 + 0.009 * n, 1 + 0.02 * n, "SAME") for n in range(count)]
    return Ratios(found, 0.05, "times as fast", [f"numba_{n}" for n in range(count)])


def roofline(count):
    """So many kernels, each in every backend."""
    best = {f"kernel_{n}": Point(f"kernel_{n}", f"numba_{n}", "numba", 0.1 * (n + 1), 1e9, fraction_of_peak=0.5)
            for n in range(count)}  # fmt: skip
    shown = [replace(point, backend=backend) for point in best.values() for backend in style.LIGHT]
    return Roofline(shown, {"copy": 1e11}, 1e12, best)


def bars(count, label="NumPy"):
    return ThenAndNow(
        [Bar(f"{label} {n}", style.color("numpy"), 1e-3, None, None, 2e-3, "1 ms") for n in range(count)], "s", "time"
    )


def shares(*counts):
    """Maps of devices with so many backends each."""
    panels = [
        SharePanel(
            f"device {n}", 1e11, [ShareRow(f"numba_{row}", style.color("numba"), [1e11] * 5) for row in range(count)]
        )
        for n, count in enumerate(counts)
    ]
    return ShareMaps(panels, ["copy", "mul", "add", "triad", "dot"], "copy")


def block_lines(count):
    ticks = {5 + n: str(2 ** (5 + n)) for n in range(6)}
    own = [
        BlockLine(**vars(line) | {"x": list(ticks), "y": [1e-3 * (1 + n)] * 6}, best=6, occupancy=[0.5] * 6)
        for n, line in enumerate(lines(count).lines)
    ]
    return BlockLines(own, ticks)


def transfers(count):
    return TransferSpeedups(
        [TransferSpeedup(f"numba_{n}", style.color("numba"), (40.0 + n, 20.0, 3.0, 2.0)) for n in range(count)],
        ("cffi_api", 4.0),
    )


def startups(count):
    return StartupBars(
        [StartupBar(f"numba_{n}", style.color(backend), (0.1, 0.2, n + 1.0, 0.3))
         for n, backend in enumerate(list(style.LIGHT)[:count])]
    )  # fmt: skip


def answers(count):
    chart = lines(count)
    return AnswerLines(chart.lines, "elements", at=1000, chosen="numba_0", best=((1000, 1e-6),))


CHARTS = [
    pytest.param(lines(3), id="few lines"),
    pytest.param(lines(45), id="many lines"),
    pytest.param(speedups(4), id="few rows"),
    pytest.param(speedups(60), id="many rows"),
    pytest.param(speedups(20, [f"kernel_{n}" for n in range(17)]), id="many rows and columns"),
    pytest.param(blocks(3), id="maps of few blocks"),
    pytest.param(blocks(7), id="maps of many blocks"),
    pytest.param(ratios(40), id="ratios"),
    pytest.param(roofline(1), id="roofline"),
    pytest.param(roofline(12), id="roofline of many kernels"),
    pytest.param(bars(3), id="low"),
    pytest.param(bars(9, "a name that is as long as names can be"), id="wide"),
    pytest.param(Ranking(lines(50).lines), id="ranking"),
    pytest.param(shares(5), id="shares"),
    pytest.param(shares(11, 12), id="shares of two devices"),
    pytest.param(shares(9, 40), id="shares of many backends"),
    pytest.param(block_lines(4), id="lines over blocks"),
    pytest.param(block_lines(30), id="many lines over blocks"),
    pytest.param(OptionLines(lines(9).lines, "order"), id="lines over options"),
    pytest.param(ThreadLines(lines(30).lines), id="lines over threads"),
    pytest.param(answers(12), id="lines of a state"),
    pytest.param(transfers(30), id="transfers"),
    pytest.param(startups(20), id="start-up"),
    pytest.param(FunctionTimes([FunctionTime(f"function_{n}", "#000000", 1.0, 2.0) for n in range(40)]), id="profile"),
    pytest.param(LineScores({f"{n}.pyx": list(range(40)) for n in range(4)}), id="scores of lines"),
    pytest.param(PolygonMask(np.eye(64, dtype=bool), np.array([(1, 1), (60, 5), (30, 60)])), id="mask"),
    pytest.param(Listing([("one.py", [("x = 1", False)] * 9)] * 2), id="sources"),
    pytest.param(Notice("Not made here: there is no GPU"), id="notice"),
]
