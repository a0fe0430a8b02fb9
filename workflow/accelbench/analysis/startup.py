"""Start-up time of each implementation.

A process imports a library and opens a device once. It compiles just in time once per dtype, in the case that is
measured first. Later cases of the process therefore record shorter times. So each part of the start-up time is the
maximum over the cases with the same kernel, implementation, device, dtype and number of threads.
"""

from typing import NamedTuple

from accelbench.analysis.cases import Case

PARTS = ("import_s", "context_s", "build_s", "first_call_s", "first_call_extra_s")


class Startup(NamedTuple):
    """Start-up time of the cases that share a key; see `key_of`.

    case       one of the cases
    parts      {member of PARTS: seconds}; `first_call_extra_s` is the first call's time minus a later call's time
    compile_s  seconds for building all files of the implementation ahead of time
    """

    case: Case
    parts: dict[str, float | None]
    compile_s: float | None

    @property
    def counted(self) -> tuple[float, ...]:
        """Return the seconds of each part except `first_call_s`; `first_call_extra_s` represents the first call."""
        return tuple(self.parts[name] or 0.0 for name in PARTS if name != "first_call_s")

    @property
    def total_s(self) -> float | None:
        """Return the sum of `counted`; None if no part is known."""
        known = any(value is not None for name, value in self.parts.items() if name != "first_call_s")
        return sum(self.counted) if known else None


def key_of(case: Case):
    """Return the key of the cases that share a Startup."""
    record = case.record
    return record.kernel, record.implementation, record.device, record.dtype, record.threads


def of(cases: list[Case], kernels) -> Startup:
    """Return the Startup of cases that share a key; see `key_of`."""
    parts: dict[str, float | None] = dict.fromkeys(PARTS)
    for case in cases:
        first, later = case.record.startup.first_call_s, case.seconds("call")
        extra = None if first is None or later is None else max(0.0, first - later)
        for name, seconds in {**case.record.startup.model_dump(), "first_call_extra_s": extra}.items():
            if seconds is not None:
                parts[name] = max(seconds, parts[name] or 0.0)
    record = cases[0].record
    return Startup(cases[0], parts, _compile_s(kernels[record.kernel], record.implementation, record.device))


def _compile_s(metadata, implementation, device):
    """Return the seconds of an implementation's builds for a device; None if nothing was built."""
    about = metadata.implementations.get(implementation)
    seconds = [artifact.seconds for artifact in about.build if artifact.device in (None, device)] if about else []
    return sum(seconds) if seconds else None
