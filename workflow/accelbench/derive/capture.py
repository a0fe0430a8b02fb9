"""Run a script as it is, and keep copies of the arguments of the first calls of a function."""

import copy
import os
import runpy
import sys
import threading
from pathlib import Path

import numpy as np

from accelbench.derive.source import Refusal

MOST_KINDS, MOST_CALLS = 5, 10_000  # calls of different kinds that are kept; calls that are looked at


class Capture:
    """A profile function that keeps the arguments of calls of one code object.

    calls  {number of elements of the largest argument: the arguments}: the first call of each size
    """

    def __init__(self, function):
        self._code, self.calls, self._count = function.__code__, {}, 0

    def __call__(self, frame, event, _):
        code = frame.f_code
        if event != "call" or code.co_name != self._code.co_name or code.co_firstlineno != self._code.co_firstlineno:
            return
        if os.path.realpath(code.co_filename) != os.path.realpath(self._code.co_filename):
            return
        self._count += 1
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = tuple(frame.f_locals[name] for name in names if name != "self")
        size = max((value.size for value in given if isinstance(value, np.ndarray)), default=1)
        if size not in self.calls:
            self.calls[size] = copy.deepcopy(given)
        if len(self.calls) == MOST_KINDS or self._count == MOST_CALLS:
            sys.setprofile(None)  # from here on at full speed


def capture(script, function):
    """Return {size: arguments} of the calls of a function while a script runs; Refusal if it calls it nowhere."""
    found, before = Capture(function), sys.argv
    sys.argv = [str(script)]
    sys.path.insert(0, str(Path(script).resolve().parent))
    threading.setprofile(found)
    sys.setprofile(found)
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit:
        pass
    except Exception as error:
        if not found.calls:
            raise Refusal(f"{script} fails: {type(error).__name__}: {error}. Correct it, or use --args") from error
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        sys.argv = before
    if not found.calls:
        raise Refusal(f"{script} does not call {function.__name__}. Name a script that does, or use --args")
    return dict(sorted(found.calls.items()))
