"""What the verifier is asked, and what it answers: one class a message, whose fields are all it holds. What it says no
with stands in verify.process; worker.protocol has the messages to workers.
"""

import re
from dataclasses import dataclass
from typing import Any

from accelbench.verify.comparison import ErrorMetrics
from accelbench.worker.protocol import Inputs

QUESTIONS: dict[str, type["Asked"]] = {}


class Asked:
    """A message to the verifier, `name` that of its method for it; answered by an `answer`, or by plain data."""

    name: str
    answer: Any

    def __init_subclass__(cls, answer: Any = None):
        cls.name, cls.answer = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(), answer
        QUESTIONS[cls.name] = cls

    @classmethod
    def read(cls, fields: dict[str, Any]):
        """The question whose fields came in a frame."""
        return cls(**fields)

    def answered(self, value: Any) -> Any:
        """What was answered, as what it was declared with."""
        return value if self.answer is None else self.answer(**value)


@dataclass(frozen=True)
class Begin(Asked):
    """Keep what has been made as long as it takes no more than `keep_bytes`; take changes from `secret`."""

    keep_bytes: int
    secret: int


@dataclass(frozen=True)
class Examine(Asked):
    """Try the functions of the kernel.py in a folder, with `options` or with all that it has (None), at these
    `sizes` or at those that it declares (None)."""

    folder: str
    options: dict[str, Any] | None
    sizes: list[int] | None


@dataclass(frozen=True, kw_only=True)
class TruthKey:
    """Which inputs are meant, with what is right for them: those of a kernel's `problem`, its id, from a `seed`.

    which  counts the seeds of a problem; exact: the kernel's exact inputs, where it has such
    """

    folder: str
    problem: str
    size: int
    dtype: str
    options: dict[str, Any]
    seed: int
    which: int
    exact: bool


@dataclass(frozen=True)
class _OfTruth:
    key: TruthKey

    @classmethod
    def read(cls, fields):
        return cls(**fields | {"key": TruthKey(**fields["key"])})


@dataclass(frozen=True)
class Give(_OfTruth, Asked, answer=Inputs):
    """What a worker attaches."""


@dataclass(frozen=True)
class InputChange:
    """Elements of inputs that get other values, {input: (places, values)}; {} where none are to be had.

    changes  together they change a result by more than its tolerance
    turns    from which single ones are taken, where calls are timed after a change
    """

    changes: dict[str, Any]
    turns: dict[str, Any]


@dataclass(frozen=True)
class Change(_OfTruth, Asked, answer=InputChange):
    """What may change of the inputs."""


@dataclass(frozen=True)
class TruthArrays:
    """Inputs, and the results that are right for them, by name."""

    inputs: dict[str, Any]
    expected: dict[str, Any]


@dataclass(frozen=True)
class Show(_OfTruth, Asked, answer=TruthArrays):
    """The arrays themselves."""


@dataclass(frozen=True)
class Compare(_OfTruth, Asked, answer=ErrorMetrics):
    """Hold results against what is right; again: those of a second call, where the kernel asks for them; changed: with
    the change of the inputs."""

    results: dict[str, Any]
    again: dict[str, Any] | None
    changed: bool
