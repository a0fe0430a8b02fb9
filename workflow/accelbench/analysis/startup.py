"""What each implementation costs before it runs at speed.

Importing and opening a device happen once a process, just-in-time compilation once a process and dtype, whichever size
comes first; so each part is the largest seen among the cases of an implementation, device, dtype and thread count.
"""

from typing import NamedTuple

from accelbench.analysis.cases import Case

PARTS = ("import_s", "context_s", "build_s", "first_call_s", "first_call_extra_s")


class Startup(NamedTuple):
    """What starting up takes.

    case       one of those that it is of
    parts      {each of PARTS: seconds}; `first_call_extra_s` is what a first call took beyond a later one
    compile_s  what building ahead of time took, all files of the implementation together
    """

    case: Case
    parts: dict[str, float | None]
    compile_s: float | None

    @property
    def counted(self) -> tuple[float, ...]:
        """Seconds of each part but the first call's, of which only what is beyond a later one counts."""
        return tuple(self.parts[name] or 0.0 for name in PARTS if name != "first_call_s")

    @property
    def total_s(self) -> float | None:
        """Seconds of all parts that count; None where none is known."""
        known = any(value is not None for name, value in self.parts.items() if name != "first_call_s")
        return sum(self.counted) if known else None


def key_of(case: Case):
    """Whose Startup is a case's, too."""
    record = case.record
    return record.kernel, record.implementation, record.device, record.dtype, record.threads


def of(cases: list[Case], kernels) -> Startup:
    """The Startup of cases with one key."""
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
    """Seconds its builds took, of OpenCL programs the one for its device; None where nothing was built."""
    about = metadata.implementations.get(implementation)
    seconds = [artifact.seconds for artifact in about.build if artifact.device in (None, device)] if about else []
    return sum(seconds) if seconds else None
