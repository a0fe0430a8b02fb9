"""Checks of the values that the methods of a backend's Session return. Errors name the backend's module."""

import json
import math
from collections.abc import Callable
from functools import partial
from numbers import Number, Real
from typing import Literal

import numpy as np

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.model.device import LaunchFacts
from accelbench.model.limits import fits
from accelbench.rpc.messages import REFUSALS


def _amount(value):
    return isinstance(value, Real) and 0 <= value < math.inf


def _is_plain(answer):
    try:
        return isinstance(answer, dict) and json.dumps(answer) is not None
    except (TypeError, ValueError):
        return False


def _are_facts(answer, call):
    if not isinstance(answer, LaunchFacts):
        return answer is None
    return answer.max_block_size is not None and all(v is None or _amount(v) for v in vars(answer).values())


# Type of a backend's timers, by the kind of time
TIMERS = dict[Literal["compute", "throughput", "call", "launch"], Callable]
CONTRACT = discovery.Contract(
    "the docstring of accelbench/backends/__init__.py lists what a Session must define",
    {
        "variables": (dict[str, str], "a dictionary of strings"),
        "settings": (_is_plain, "a dictionary of values that JSON can represent"),
        "load": (lambda answer, *_: answer is not None, "the value of case.artifact(source)"),
        "empty": (
            lambda answer, shape, dtype: getattr(answer, "shape", None) == shape,
            "an array of the requested shape",
        ),
        "pinned": (
            lambda answer, shape, dtype: isinstance(answer, np.ndarray) and answer.shape == shape,
            "a NumPy array of the requested shape",
        ),
        "copy_out": (lambda answer, *_: isinstance(answer, (np.ndarray, Number)), "a NumPy array or a number"),
        "intact": (bool | np.bool_, "True or False"),
        "timers": (
            lambda answer, call: fits(answer, TIMERS) and "compute" in answer,
            "{kind of time: function} with compute, and with throughput, call and launch if they differ from compute",
        ),
        "launch_facts": (_are_facts, "LaunchFacts with numbers and a max_block_size, or None"),
        "gpu": (str | None, "a text or None"),
        "explain": (
            lambda answer, error: (
                answer is None or (fits(answer, tuple[str]) and len(answer) in (2, 3) and answer[0] in REFUSALS)
            ),
            f"(outcome, reason), (outcome, reason, remedy) or None; outcome is one of {', '.join(REFUSALS)}",
        ),
        "lost": (str | None, "a text or None"),
    },
    "Session.",
)


class Session:
    """A wrapper of the Session in a backend's `module` that checks the values that the Session's methods return."""

    def __init__(self, module, backend, device):
        self._module, self._session = module, module.Session(backend, device)
        for name in ("queue", "stream"):
            if not hasattr(self._session, name):
                raise InputError(
                    discovery.shown(module.__file__),
                    f"Session has no {name}",
                    "Set it in __init__, to None if the library has none",
                )

    @staticmethod
    def variables(module, device, threads):
        """Return the environment variables that must be set before the library is imported."""
        return CONTRACT.ask(module, "variables", module.Session.variables, device, threads)

    def __getattr__(self, name):
        value = getattr(self._session, name)
        if name in CONTRACT.answers:
            value = partial(CONTRACT.ask, self._module, name, value)
        if callable(value):
            setattr(self, name, value)  # so that timed calls bypass __getattr__
        return value

    def copy_out(self, *arguments):
        """Return the result of the backend's copy_out. Check only the first call, since later calls may be timed."""
        answer = CONTRACT.ask(self._module, "copy_out", self._session.copy_out, *arguments)
        self.copy_out = self._session.copy_out
        return answer

    def timers(self, call):
        """Return the backend's timers, in wrappers that check the times."""
        timers = CONTRACT.ask(self._module, "timers", self._session.timers, call)
        return {kind: partial(self._timed, kind, timer) for kind, timer in timers.items()}

    def _timed(self, kind, timer, loops, **lead):
        seconds = timer(loops, **lead)
        if not _amount(seconds):
            raise CONTRACT.mistake(self._module, f"timers: {kind!r} returned {seconds!r:.80}", "seconds per call")
        return seconds
