"""Run a script as it is, and keep copies of the arguments of the first calls of a function."""

import copy
import os
import runpy
import sys
import threading
from pathlib import Path

import numpy as np

from accelbench.derive.source import Refusal

MOST_SIZES, MOST_CALLS = 5, 10_000  # sizes of calls that are kept; calls that are looked at


def capture(script, function):
    """Return {size: arguments} of the calls of a function while a script runs, the first call of each size.

    The size is the number of elements of the largest argument. Refusal if the script calls the function nowhere.
    """
    code, calls, count = function.__code__, {}, 0

    def look(frame, event, _):
        nonlocal count
        own = frame.f_code
        if event != "call" or (own.co_name, own.co_firstlineno) != (code.co_name, code.co_firstlineno):
            return
        if os.path.realpath(own.co_filename) == os.path.realpath(code.co_filename):
            count += 1
            names = own.co_varnames[: own.co_argcount + own.co_kwonlyargcount]
            given = tuple(frame.f_locals[name] for name in names if name != "self")
            size = max((value.size for value in given if isinstance(value, np.ndarray)), default=1)
            if size not in calls:
                calls[size] = copy.deepcopy(given)
            if len(calls) == MOST_SIZES or count == MOST_CALLS:
                sys.setprofile(None)  # from here on at full speed

    sys.argv = [script]
    sys.path.insert(0, str(Path(script).resolve().parent))
    threading.setprofile(look)
    sys.setprofile(look)
    problem = f"it does not call {function.__name__}"
    try:
        runpy.run_path(script, run_name="__main__")
    except (Exception, SystemExit) as error:
        problem = f"it ends with {type(error).__name__}: {error}"
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if not calls:
        raise Refusal(f"no arguments are found in {script}: {problem}. Correct it, or use --args")
    return dict(sorted(calls.items()))
