"""Messages to the verifier and its answers: a class for each, whose fields are all that the message holds."""

from dataclasses import dataclass
from typing import Any

from accelbench.rpc.messages import Inputs, Request, message


@message()
class Begin(Request):
    """Keep what has been made as long as it takes no more than `keep_bytes`; take changes from `secret`."""

    keep_bytes: int
    secret: int


@message()
class Examine(Request):
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


@message()
class OfTruth:
    """Field of a request about inputs."""

    key: TruthKey


@message()
class Give(OfTruth, Request, answer=Inputs):
    """What a worker attaches."""


@message()
class InputChange:
    """Elements of inputs that get other values, {input: (places, values)}; {} where none are to be had.

    changes  together they change a result by more than its tolerance
    turns    from which single ones are taken, where calls are timed after a change
    """

    changes: dict[str, Any]
    turns: dict[str, Any]


@message()
class Change(OfTruth, Request, answer=InputChange):
    """What may change of the inputs."""


@message()
class TruthArrays:
    """Inputs, and the results that are right for them, by name."""

    inputs: dict[str, Any]
    expected: dict[str, Any]


@message()
class Show(OfTruth, Request, answer=TruthArrays):
    """The arrays themselves."""


@dataclass(frozen=True)
class ErrorMetrics:
    """{output, or what else the kernel judges: (largest absolute error, its bound)}, and the pair nearest to that."""

    max_error: float
    tolerance: float
    errors: dict[str, tuple[float, float]]


@message()
class Compare(OfTruth, Request, answer=ErrorMetrics):
    """Hold results against what is right; again: those of a second call, where the kernel asks for them; changed: with
    the change of the inputs."""

    results: dict[str, Any]
    again: dict[str, Any] | None
    changed: bool


KINDS = Begin, Examine, TruthKey, Give, Change, Show, Compare  # Dataclasses that the verifier receives
