"""All that was measured on one machine, as it was read."""

from dataclasses import dataclass
from functools import cached_property

from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata, Measuring
from accelbench.model.record import Record
from accelbench.model.watched import WatchedProblem


@dataclass(frozen=True)
class Results:
    """What was measured on one machine, `kernels` by kernel."""

    machine: Machine
    kernels: dict[str, KernelMetadata]
    records: list[Record]

    @cached_property
    def watched(self) -> dict[tuple[str, str], WatchedProblem]:
        """{(repetition, problem): what was sampled beside its cases}."""
        every = (watched for metadata in self.kernels.values() for watched in metadata.watched)
        return {(watched.repetition, watched.problem): watched for watched in every}

    @property
    def batches(self) -> dict[str, str]:
        """{repetition: what it has in common with others: one run on one instance of the machine}."""
        return {name: f"{run.run} on {run.instance}" for _, run in self.runs for name in run.repetitions}

    @cached_property
    def instances(self) -> dict[str, str]:
        """{repetition: name of the instance of the machine that it was measured on}, as far as it is known.

        Older results do not say. What was killed, of which no run tells, is of the only one that there is.
        """
        named = {name: run.instance for _, run in self.runs for name in run.repetitions}
        if len(set(named.values())) == 1:
            named = dict.fromkeys((name for r in self.records for name in r.repetitions), next(iter(named.values())))
        return {name: instance for name, instance in named.items() if instance}

    @property
    def runs(self) -> list[tuple[str, Measuring]]:
        """Every kernel's Measurings, with its name."""
        return [(kernel, run) for kernel, metadata in self.kernels.items() for run in metadata.runs]
