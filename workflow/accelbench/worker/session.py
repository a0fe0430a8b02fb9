"""A backend's session as a worker asks it: what it returns is checked, and a mistake in it is told with its name."""

import json
import math
from functools import partial
from numbers import Number, Real

import numpy as np

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.model.device import LaunchFacts
from accelbench.rpc.messages import REFUSALS

EXPLAINED = "the docstring of accelbench/backends/__init__.py says what a Session holds"
KINDS = ("compute", "throughput", "call", "launch")  # of times that a backend takes


def _amount(value):
    return isinstance(value, Real) and 0 <= value < math.inf


def _plain(answer):
    try:
        return isinstance(answer, dict) and json.dumps(answer) is not None
    except (TypeError, ValueError):
        return False


def _facts(answer):
    if not isinstance(answer, LaunchFacts) or answer.max_block_size is None:
        return False
    return all(value is None or _amount(value) for value in vars(answer).values())


def _told(answer):
    return isinstance(answer, tuple) and len(answer) == 2 and answer[0] in REFUSALS and isinstance(answer[1], str)


def _text(answer):
    return isinstance(answer, str)


# {method: (whether an answer to some arguments can be used, what it returns)}
ANSWERS = {
    "variables": (
        lambda answer, *_: isinstance(answer, dict) and all(map(_text, [*answer, *answer.values()])),
        "a dictionary of strings",
    ),
    "settings": (_plain, "a dictionary of what JSON knows"),
    "load": (lambda answer, *_: answer is not None, "what case.artifact(source) is to an implementation"),
    "empty": (lambda answer, shape, dtype: getattr(answer, "shape", None) == shape, "an array of that shape"),
    "pinned": (lambda answer, shape, dtype: isinstance(answer, np.ndarray) and answer.shape == shape, "such an array"),
    "copy_out": (lambda answer, *_: isinstance(answer, (np.ndarray, Number)), "a NumPy array or a number"),
    "intact": (lambda answer, array: isinstance(answer, (bool, np.bool_)), "True or False"),
    "timers": (
        lambda answer, call: (
            isinstance(answer, dict)
            and {"compute"} <= answer.keys() <= set(KINDS)
            and all(map(callable, answer.values()))
        ),
        f"functions by the kind of time, of {', '.join(KINDS)}; compute always",
    ),
    "launch_facts": (
        lambda answer, call: answer is None or _facts(answer),
        "LaunchFacts of numbers, max_block_size always, or None",
    ),
    "gpu": (lambda answer: answer is None or _text(answer), "a text or None"),
    "explain": (
        lambda answer, error: answer is None or _told(answer),
        f"(one of {', '.join(REFUSALS)}, reason) or None",
    ),
    "lost": (lambda answer: answer is None or _text(answer), "a text or None"),
}


def _ask(module, method, function, *arguments):
    """What a method of the Session of a backend's module returns; InputError, naming both, where it is something else
    than it has to be."""
    answer, (fits, expected) = function(*arguments), ANSWERS[method]
    if not fits(answer, *arguments):
        raise _mistake(module, f"{method} returned {answer!r:.80}", expected)
    return answer


def _mistake(module, problem, expected):
    return InputError(discovery.shown(module.__file__), f"Session.{problem}", f"It returns {expected}; {EXPLAINED}")


class Session:
    """The Session of a backend's `module`, its answers checked."""

    def __init__(self, module, backend, device):
        self._module, self._session = module, module.Session(backend, device)
        for name in ("queue", "stream"):
            if not hasattr(self._session, name):
                raise InputError(
                    discovery.shown(module.__file__), f"Session has no {name}", "Set it in __init__, None where none is"
                )

    @staticmethod
    def variables(module, device, threads):
        """What the environment must hold before it is opened."""
        return _ask(module, "variables", module.Session.variables, device, threads)

    def __getattr__(self, name):
        value = getattr(self._session, name)
        if name in ANSWERS:
            value = partial(_ask, self._module, name, value)
        if callable(value):
            setattr(self, name, value)  # what is timed does not come through here
        return value

    def copy_out(self, *arguments):
        """The session's, checked once: it is a part of what is timed."""
        found = _ask(self._module, "copy_out", self._session.copy_out, *arguments)
        self.copy_out = self._session.copy_out
        return found

    def timers(self, call):
        """The session's, the seconds of each checked."""
        found = _ask(self._module, "timers", self._session.timers, call)
        return {kind: partial(self._timed, kind, timer) for kind, timer in found.items()}

    def _timed(self, kind, timer, loops, **lead):
        seconds = timer(loops, **lead)
        if not _amount(seconds):
            raise _mistake(self._module, f"timers: {kind!r} returned {seconds!r:.80}", "seconds per call")
        return seconds
