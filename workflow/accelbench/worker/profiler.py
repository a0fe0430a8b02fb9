"""Profile of a call of an implementation, made with cProfile."""

import cProfile
import pstats
import time
from operator import itemgetter
from pathlib import Path

PACKAGE = f"{Path(__file__).parents[1]}/"
# Files and functions that a profile leaves out: the statement that calls `run`, and the profiler
ENTRY = ("<string>", "<built-in method builtins.eval>", "<method 'disable' of '_lsprof.Profiler' objects>")


def profile(call, folder, name):
    """Run a Call once without and once with the profiler. Return (seconds with it, seconds without it, rows).

    A row is (function, file, line, number of calls, seconds in the function itself, seconds including functions that it
    calls). There are no rows for functions of this package. A row names a file in `folder`, the kernel's folder, as
    NAME/FILE, and any other file as FILE. So rows contain no path of this computer.
    """
    begin = time.perf_counter()
    call.once()
    middle = time.perf_counter()
    profiler = cProfile.Profile()
    profiler.runcall(call.once)
    end = time.perf_counter()
    rows = []
    for (file, line, function), (_, calls, exclusive, cumulative, _) in pstats.Stats(profiler).stats.items():
        if not (file.startswith(PACKAGE) or file in ENTRY or function in ENTRY):
            path = Path(file)  # a .pyx file lies below the folder that it was built in
            shown = f"{name}/{path.name}" if path.suffix == ".pyx" or path.parent == folder else path.name
            rows.append((function, shown, line, calls, exclusive, cumulative))
    return end - middle, middle - begin, sorted(rows, key=itemgetter(5), reverse=True)
