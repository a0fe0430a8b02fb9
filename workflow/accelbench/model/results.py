"""Results of one machine: its description, metadata of kernels, and records."""

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property

from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata, Measuring
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.record import Record
from accelbench.model.watched import WatchedProblem

PAUSE = timedelta(minutes=10)  # Maximum gap between commands of one run on an instance


@dataclass(frozen=True)
class Results:
    """The results of one machine. `kernels` is {kernel: its metadata}."""

    machine: Machine
    kernels: dict[str, KernelMetadata]
    records: list[Record]

    @cached_property
    def watched(self) -> dict[tuple[str, str], WatchedProblem]:
        """Return {(repetition, problem): WatchedProblem}, the samples of reference cases and of the machine's peaks."""
        every = (watched for metadata in self.kernels.values() for watched in metadata.watched)
        return {(watched.repetition, watched.problem): watched for watched in every}

    @cached_property
    def batches(self) -> dict[str, str]:
        """Return {repetition: name of its batch}. A batch is one run on one instance of the machine.

        Commands on one instance belong to one run if the gaps between them are at most PAUSE. A later command may
        continue a stopped run, or add repetitions to a complete run.
        """
        commands = defaultdict(list)
        for _, measuring in self.runs:
            commands[measuring.instance, measuring.run].append(measuring)
        names, batch, ends = {}, {}, {}
        for (instance, run), group in sorted(commands.items(), key=lambda command: min(m.begin for m in command[1])):
            begin = min(measuring.begin for measuring in group)
            if instance not in ends or begin - ends[instance] > PAUSE:
                batch[instance] = f"{run} on {instance}"
            end = begin + timedelta(seconds=sum(measuring.wall_s for measuring in group))
            ends[instance] = max(end, ends.get(instance, end))
            for measuring in group:
                names |= dict.fromkeys(measuring.repetitions, batch[instance])
        return names

    @cached_property
    def instances(self) -> dict[str, str]:
        """Return {repetition: name of the machine's instance}, without repetitions whose instance is unknown.

        Older results have no instance. A killed run does not record its instance. If all recorded runs have the same
        instance, the repetitions of killed runs are assigned to this instance, too.
        """
        named = {name: run.instance for _, run in self.runs for name in run.repetitions}
        if len(set(named.values())) == 1:
            named = dict.fromkeys((name for r in self.records for name in r.repetitions), next(iter(named.values())))
        return {name: instance for name, instance in named.items() if instance}

    def protocol_version(self, record: Record) -> int:
        """Return the oldest version of the protocol among the runs of a record.

        If the runs of the record are unknown, consider all runs of the kernel. If the kernel has no runs, return the
        current version.
        """
        runs = self.kernels[record.kernel].runs
        matches = [run for run in runs if not set(run.repetitions).isdisjoint(record.repetitions)]
        return min((run.protocol_version for run in matches or runs), default=PROTOCOL_VERSION)

    def has_contestants(self, kernel: str) -> bool:
        """Return whether a kernel was measured with several versions of a library or Python, or with several compilers.

        Some names of implementations then contain an @, followed by the version or by the compiler's label.
        """
        return any("@" in r.implementation for r in self.records if r.kernel == kernel)

    def contestants(self, version: str, label: str) -> "Results":
        """Return Results with only the records of the baselines and of the contestants with one version.

        version  version of a library or Python, or label of a C compiler: the part after @ in names of implementations;
                 "" for names without @
        label    text that replaces the version in the names of the implementations

        Any other implementation without an @ in its records is left out, since its versions were not compared.
        """
        several = {(r.kernel, r.implementation.partition("@")[0]) for r in self.records if "@" in r.implementation}
        records = [r for r in self.records if r.implementation in self.kernels[r.kernel].all_baselines]
        for record in self.records:
            name, _, suffix = record.implementation.partition("@")
            if suffix == version and (record.kernel, name) in several:
                records.append(record.model_copy(update={"implementation": f"{name}@{label}"}))
        there = [
            e.backends for name, e in self.machine.environments.items() if version and name.endswith(f"@{version}")
        ]
        backends = {name: backend for group in (self.machine.backends, *there) for name, backend in group.items()}
        return replace(self, machine=self.machine.model_copy(update={"backends": backends}), records=records)

    @property
    def runs(self) -> list[tuple[str, Measuring]]:
        return [(kernel, run) for kernel, metadata in self.kernels.items() for run in metadata.runs]
