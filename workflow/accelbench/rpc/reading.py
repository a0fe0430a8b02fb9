"""Read answers on the caller's side by the types that requests declare. An implementation lives in the worker's process
and may have changed whatever it found there, so an answer is checked before anything is made of it."""

from dataclasses import is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from accelbench.errors import brief
from accelbench.rpc import messages
from accelbench.rpc.channel import Malformed

adapter = cache(TypeAdapter)


class Refused(Exception):
    """The process says that it cannot: an outcome, a reason, and what else belongs to that."""

    def __init__(self, outcome, reason, *rest):
        super().__init__(outcome, reason, *rest)
        self.outcome, self.reason = outcome, reason


def read(request: messages.Request, answer: Any) -> Any:
    """Return the answer to a request as its class declares it.

    Refused where the process could not give it, Malformed where the answer is none.
    """
    match answer:
        case ["ok", value]:
            try:
                result = adapter(request.answer).validate_python(value)
            except ValidationError as error:
                raise Malformed(brief(error.errors(include_url=False)[0]["input"])) from None
            if not _fits(request, result, value):
                raise Malformed(brief(value))
            return result
        case ["failed", [str(outcome), str(reason), *rest]] if outcome in messages.REFUSALS:
            raise Refused(outcome, reason, *rest)
    raise Malformed(f"neither an answer nor a refusal: {brief(answer)}")


def _fits(request, result, value):
    """Whether an answer of the right types has all fields and the right names."""
    match request:
        case messages.WarmUp():
            from accelbench.model.record import TIMINGS  # imported lazily to speed up the start of commands

            return {"compute"} <= result.keys() <= set(TIMINGS)
        case messages.Sample():
            return result.keys() == request.loops.keys()
        case messages.RunOn() if result.begin >= result.end:
            return False
    return not is_dataclass(result) or vars(result).keys() == value.keys()
