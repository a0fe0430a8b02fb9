"""What each implementation costs before it runs at speed."""

from dataclasses import dataclass

from accelbench.analysis.cases import describe
from accelbench.analysis.choices import group_by
from accelbench.analysis.rows import Row

PARTS = ("import_s", "context_s", "build_s", "first_call_s", "first_call_extra_s")


@dataclass(frozen=True, kw_only=True)
class StartupRow(Row):
    """What an implementation costs before it runs at speed.

    Importing and opening a device happen once a process, just-in-time compilation once a process and dtype, whichever
    size comes first; so each part is the largest seen among the cases of an implementation, device, dtype and thread
    count. `first_call_extra_s` is what a first call took beyond a later one, `startup_s` the sum of import, context,
    build and that; `compile_s` went into building ahead of time, all files of the implementation together.
    """

    machine: str
    kernel: str
    implementation: str
    backend: str
    device: str
    dtype: str
    threads: int | None
    import_s: float | None
    context_s: float | None
    build_s: float | None
    first_call_s: float | None
    first_call_extra_s: float | None
    startup_s: float | None
    compile_s: float | None
    source_lines: int | None

    @property
    def key(self):
        return self.kernel, self.implementation, self.device, self.dtype, self.threads

    @classmethod
    def key_of(cls, case):
        """The `key` of the row that says what a case costs."""
        record = case.record
        return record.kernel, record.implementation, record.device, record.dtype, record.threads

    @classmethod
    def rows(cls, analysis):
        groups = group_by((case for case in analysis.cases if case.ok and case.record.startup), cls.key_of)
        rows = [_row(group, analysis.results.kernels) for group in groups.values()]
        return sorted(rows, key=lambda row: (*row.key[:2], row.backend, row.device, row.dtype, row.threads or 0))


def _row(group, kernels):
    record = group[0].record
    parts = dict.fromkeys(PARTS)
    for case in group:
        startup = case.record.startup.model_dump()
        first, later = case.record.startup.first_call_s, case.seconds("call")
        startup |= {"first_call_extra_s": None if first is None or later is None else max(0.0, first - later)}
        for name, seconds in startup.items():
            if seconds is not None:
                parts[name] = max(seconds, parts[name] or 0.0)
    counted = [value for name, value in parts.items() if name != "first_call_s" and value is not None]
    return StartupRow(
        **describe(group[0], StartupRow),
        **parts,
        startup_s=sum(counted) if counted else None,
        compile_s=_compile_s(kernels[record.kernel], record.implementation, record.device),
    )


def _compile_s(metadata, implementation, device):
    """Seconds its builds took, of OpenCL programs the one for its device; None where nothing was built."""
    about = metadata.implementations.get(implementation)
    seconds = [artifact.seconds for artifact in about.build if artifact.device in (None, device)] if about else []
    return sum(seconds) if seconds else None
