"""Where a call spends its time: cProfile's table, which counts every call, and pyinstrument's flame graph, which looks
every millisecond and so hardly slows down what it looks at."""

import cProfile
import io
import json
import pstats
import sys
import time
from functools import partial
from pathlib import Path

from pyinstrument import Profiler
from pyinstrument.renderers import HTMLRenderer

from accelbench.worker.protocol import CallProfile, TracedFunction

PACKAGE = Path(__file__).parents[1]
OURS = ("<string>",)  # the statement that is timed has no file
ENTRY = ("<built-in method builtins.eval>", "<method 'disable' of '_lsprof.Profiler' objects>")


def profile(call, folder, name, *, added):
    """The CallProfile of one call of a worker's Call: under cProfile, which the times in `rows` and `text` (what
    `python -m pstats` prints) add up to; alone; and for the flame graph, each a call of its own. Rows are the most
    expensive first; the file of what is built in is "~".

    Files of `folder`, the kernel's, appear under its `name`, those of Python under "python": no path of this computer.
    Line numbers in a .pyx are given as if its first `added` lines were not there.
    """
    begin = time.perf_counter()
    call.once()
    plain_s = time.perf_counter() - begin
    places = {str(folder): name, str(PACKAGE.parent): "accelbench"}
    places |= dict.fromkeys((sys.prefix, sys.base_prefix, sys.exec_prefix), "python")
    stats, wall_s = _traced(call, partial(_shown, places, name=name, added=added))
    rows = [
        TracedFunction(function, file, line, calls, own, cumulative)
        for (file, line, function), (_, calls, own, cumulative, _) in stats.stats.items()
    ]
    rows.sort(key=lambda row: row.cumulative_s, reverse=True)
    return CallProfile(wall_s, plain_s, rows, _text(stats), _flame(call, places, name))


def _traced(call, shown):
    """(pstats.Stats of a call without what called it, seconds); shown(place): how a function appears."""
    profiler = cProfile.Profile()
    begin = time.perf_counter()
    profiler.runcall(call.once)
    wall_s = time.perf_counter() - begin
    stats = pstats.Stats(profiler, stream=io.StringIO())
    found = {}
    for (file, line, function), (primitive, calls, own, cumulative, callers) in stats.stats.items():
        if not (file.startswith(f"{PACKAGE}/") or file in OURS or function in ENTRY):
            named = {shown(caller): times for caller, times in callers.items()}
            found[shown((file, line, function))] = primitive, calls, own, cumulative, named
    stats.stats = found
    stats.total_calls = sum(calls for _, calls, *_ in found.values())
    stats.prim_calls = sum(primitive for primitive, *_ in found.values())
    stats.total_tt = sum(own for _, _, own, *_ in found.values())
    return stats, wall_s


def _text(stats):
    """The table as pstats prints it, the most expensive first."""
    stats.sort_stats("cumulative").print_stats()
    return stats.stream.getvalue().strip() + "\n"


def _flame(call, places, name):
    """A page with the flame graph of a call."""
    profiler = Profiler()
    profiler.start(target_description=name)
    call.once()
    profiler.stop().sys_path = []
    page = profiler.output(HTMLRenderer())
    for path, shown in _longest_first(places):
        path = json.dumps(path)[1:-1]
        page = page.replace(f"{path}/", f"{shown}/").replace(f'"{path}"', f'"{shown}"')
    return page


def _longest_first(places):
    return sorted(places.items(), key=lambda place: len(place[0]), reverse=True)


def _shown(places, place, *, name, added):
    """A `place`, (file, line, function), without this computer's paths."""
    file, line, function = place
    if file.endswith(".pyx"):
        return f"{name}/{Path(file).name}", max(line - added, 1), function
    for path, shown in _longest_first(places):
        if file.startswith(f"{path}/"):
            return shown + file.removeprefix(path), line, function
    return file, line, function
