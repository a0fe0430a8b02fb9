"""The coordinator, which measures cases that have no result yet, and merges all repetitions into result files."""

import dataclasses
import logging
import math
import os
import shlex
import shutil
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from accelbench import project
from accelbench.analysis import racing
from accelbench.analysis.gathering import beside_baselines, own_scatter, pools
from accelbench.analysis.priors import Moments
from accelbench.machine import instance
from accelbench.machine.lock import machine_lock
from accelbench.measure import merge, metadata, plan, provenance
from accelbench.measure.bench import Bench, read_machine
from accelbench.measure.keys import Keys
from accelbench.measure.references import watching
from accelbench.measure.repetition import Repetition
from accelbench.measure.setup import Setup
from accelbench.measure.todo import Todo
from accelbench.model.entry import Decision
from accelbench.model.metadata import Measuring, RecordedConfig
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.results import Results
from accelbench.model.watched import is_peak
from accelbench.processes.keeper import end_leftovers
from accelbench.store import files, formats, tuned
from accelbench.store.journal import KernelJournal, other_moments

log = logging.getLogger("accelbench")


def measure(config, machine_name, results, *, cores=None, output=None):
    """Measure all repetitions of an EffectiveConfig's kernel, and merge the repetitions. Return the Records.

    results  the machine's results folder, with machine.json, and with the kernel's builds and journals
    output   folder in which to write timings/ and kernels/; if None, `results`
    cores    maximum number of cores for a case, and number of threads if the configuration says "all"; if None, all
             available cores

    Cases that already have a valid result in a repetition are not measured again. Raise InputError if another process
    has locked a journal, or if a required file is missing.
    """
    for number in range(1, config.config.protocol.repetitions.max + 1):
        measure_repetition(config, machine_name, results, number=number, cores=cores)
    return merge_repetitions(config, machine_name, results, cores=cores, output=output)


def measure_repetition(config, machine_name, results, *, number, cores=None) -> Measuring:
    """Measure the cases that have no result in repetition `number`, from 1. Other parameters are as in `measure`."""
    ((_, measuring),) = measure_repetitions([config], machine_name, results, number=number, cores=cores)
    return measuring


def measure_repetitions(configs, machine_name, results, *, number, cores=None):
    """Measure one repetition of several kernels, which share a verifier.

    Yield (kernel's name, Measuring) for each measured kernel. An error of the first kernel, which the user
    requested, is raised. Errors of the other kernels are logged.
    """
    end_leftovers()
    first, *others = configs
    with machine_lock(), _coordinator(first, machine_name, results, cores=cores) as coordinator:
        yield first.kernel.name, coordinator.measure(number)
        for other in others:
            try:
                with _coordinator(other, machine_name, results, cores=cores, beside=coordinator) as another:
                    yield other.kernel.name, another.measure(number)
            except Exception:  # the job of the other kernel raises the error again
                log.exception(f"{other.kernel.name} was not measured")


def merge_repetitions(config, machine_name, results, *, cores=None, output=None):
    """Merge all repetitions of a kernel, and write its timings and metadata. Return the Records."""
    results, output = Path(results), Path(output or results)
    with _coordinator(config, machine_name, results, cores=cores) as coordinator:
        records, described = coordinator.records(), coordinator.describe()
        kernel = config.kernel.name
        files.write(output / "timings" / f"{kernel}.jsonl", "".join(r.model_dump_json() + "\n" for r in records))
        formats.write(output / "kernels" / f"{kernel}.json", described)
        if output == results:
            coordinator.leave_for_the_next_run()
    return records


@contextmanager
def _coordinator(config, machine_name, results, *, cores, beside=None):
    results = Path(results)
    machine = read_machine(results, config.kernel).limited_to(cores)
    bench = Bench(config, machine, machine_name, results=results)
    bench.verifier = beside._bench.verifier if beside else bench.verifier
    try:
        yield Coordinator(bench, KernelJournal(results, config.kernel.name, provenance.run()))
    finally:
        bench.progress.stop()
        if beside is None:
            bench.verifier.close()


class Coordinator:
    """Coordinator of the measurement of a Bench's kernel, whose results are in a KernelJournal."""

    def __init__(self, bench: Bench, journal: KernelJournal):
        self._bench, self._journal, self._run = bench, journal, provenance.run()
        self._protocol, self._baselines = bench.config.protocol, bench.folder.spec.all_baselines
        self._keys = Keys(bench.config, bench.machine)
        self._planned = plan.cases(bench.config, bench.machine)
        self._sweeps = {case.id: bench.folder.implementations[case.implementation].tuned_by for case in self._planned}
        self._swept = [case for case in self._planned if self._sweeps[case.id] is None]
        self._is_tuned = len(self._swept) < len(self._planned)
        self._measured, self._repetitions, self._here = 0, [], instance.describe()

    def measure(self, number) -> Measuring:
        """Measure the repetition with this number.

        Cases of implementations with TUNED_BY come last. The baselines are sampled again beside these tuned cases.
        """
        begin, started = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
        part = self._journal.part(number)
        with part.lock():
            self._read()
            left = self._left(number, lambda decision: part.note(race=decision))
            self._repetition(self._swept, number, left)
            if self._is_tuned:
                self._repetition(self._tuned(number), number, left)
            steps, here = self._bench.steps, self._here
            measuring = Measuring(
                started=started,
                wall_s=time.perf_counter() - begin,
                in_samples_s=steps.in_samples,
                steps_s=dict(sorted(steps.seconds.items(), key=lambda step: -step[1])),
                cases=self._measured,
                command=shlex.join(["python", "-m", "accelbench", *sys.argv[1:]]),
                **provenance.commit(project.ROOT),
                config=RecordedConfig(
                    **self._bench.config.config.model_dump(mode="json", exclude={"protocol": {"repetitions"}})
                ),
                configfiles=provenance.configfiles(),
                run=self._run,
                instance=here.name,
                hardware=here,
                repetitions=self._repetitions,
                protocol_version=PROTOCOL_VERSION,
                scatter={**self._moments()} if number == 2 else {},
            )
            if self._measured:
                part.note(run=measuring)
        return measuring

    def records(self):
        """Return the Records of all planned cases, in the order of the plan."""
        self._read()
        numbers = self._journal.numbers
        latest = max(numbers.values(), default=0)
        records, left = self._records(self._cases()), self._left(min(self._protocol.repetitions.max, latest + 1))
        for case, when in left.items():
            if all(numbers[name] <= when.after for name in records[case].repetitions):
                records[case] = records[case].model_copy(update={"left": when})
        return [records[case.id] for case in self._planned]

    def _cases(self):
        """Return all planned cases. Cases of implementations with TUNED_BY have the best known parameters."""
        return [*self._swept, *(self._tuned(0) if self._is_tuned else ())]

    def _left(self, number, note=None):
        """Return {case id: Left} of the cases that left the race before repetition `number`.

        The race decides which cases the next repetition measures. Later repetitions do not measure a case that has left
        the race.

        note  function that writes the Decision after repetition `number` - 1 to the journal; None to write nothing
        """
        left = {}
        if not self._protocol.repetitions.is_race or is_peak(self._bench.folder.name):
            return left
        keys = {case.id: self._keys(case) for case in self._cases() if self._verdict(case) is None}
        for after in range(1, number):
            known = self._journal.decided(after)
            if new := keys.items() - known.keys():
                departures = self._departures(after, left)
                cases = {case: (key, departures.get(case)) for case, key in sorted(new)}
                known |= {(case, key): when for case, (key, when) in cases.items()}
                if note and after == number - 1:
                    note(Decision(after=after, cases=cases))
            left |= {case: when for case, key in keys.items() if (when := known[case, key])}
        return left

    def _departures(self, after, left):
        """Return {case id: Left} of the cases that leave the race after repetition `after`, except those in `left`.

        The method compares only times of the repetitions up to `after`. It also uses a prior: the typical variance
        between repetitions, estimated from the first two repetitions of this kernel and of the machine's other kernels.
        """
        early, results = self._raced(3)
        moments = [Moments.of(pools(early)), *other_moments(self._bench.results, self._bench.folder.name)]
        scatter = racing.judging(own_scatter(results, moments, {}))
        raced = [case for case in self._raced(after + 1)[0] if case.id not in left]
        for case in raced:
            case.scatter = scatter
        departures = racing.departures(raced, after=after, least=self._protocol.repetitions.min)
        return {case.id: when for case, when in departures.items()}

    def _moments(self):
        """Return the Moments of the first two repetitions."""
        return Moments.of(pools(self._raced(3)[0]))

    def _raced(self, number):
        """Return (Cases that succeeded, Results) of the repetitions before `number`. Each Case has its baseline."""
        records = [r for r in self._records(self._cases(), before=number).values() if r.outcome == "ok"]
        results = Results(self._bench.machine, {self._bench.folder.name: self.describe()}, records)
        return beside_baselines(results, records), results

    def describe(self):
        """Return the KernelMetadata, with one combined Measuring for each run on an instance of the machine."""
        known = {case for case, _ in self._journal.cases}
        left_out = len(known - {case.id for case in self._planned})
        return metadata.describe(self._bench, self._journal, left_out)

    def leave_for_the_next_run(self):
        """Record whether the next run must try any case again."""
        runnable = [case for case in self._cases() if case.verdict is None]
        tried_again = self._journal.is_tried_again
        self._journal.set_due(any(tried_again(case, self._keys(case), self._protocol) for case in runnable))

    def _read(self):
        self._journal.read()
        for path, line, problem in self._journal.damaged:
            log.warning(f"{path}:{line}: the line is cut off or damaged ({problem}). Lost results are measured again")

    def _tuned(self, number):
        """Return the cases of implementations with TUNED_BY, and the cases of the baselines.

        The tuned cases have the best known parameters at the nearest size, from the kernel's file of store.tuned. This
        method updates the file in repetition 1, or if the file has no parameters.
        """
        results, name = self._bench.results, self._bench.folder.name
        choices = tuned.read(results, name)
        if number == 1 or not choices:
            swept = [r for r in self._records(self._swept).values() if r.implementation in self._sweeps.values()]
            choices = tuned.update(results, name, swept)
        later = [_tuned(case, self._sweeps[case.id], choices) for case in self._planned if self._sweeps[case.id]]
        return [*later, *(case for case in self._planned if case.implementation in self._baselines)]

    def _records(self, cases, before=math.inf):
        """Return {id: Record} of `cases`, merged from the repetitions with numbers below `before`."""
        records = {}
        for case in cases:
            verdict = case.verdict or self._not_built(case)
            key = None if verdict else self._keys(case)
            valid = [] if verdict else self._journal.valid(case, key, self._protocol)
            entries = [entry for entry in valid if entry.number < before]
            verdict = verdict or (None if entries else self._bench.footprint.too_large(case))
            records[case.id] = merge.record(self._bench, case, verdict=verdict, entries=entries, key=key)
        return records

    def _repetition(self, cases, number, left):
        """Measure the `cases` that have no result in repetition `number`, except the cases in `left`."""
        runnable = [case for case in cases if self._verdict(case) is None]
        keys = {case.id: self._keys(case) for case in runnable}
        state = {"journal": self._journal, "protocol": self._protocol, "baselines": self._baselines}
        todo = Todo([case for case in runnable if case.id not in left], keys, number=number, **state)
        missing, name = todo.missing, self._bench.folder.name
        if todo.outdated and number == 1:
            again = (
                f"{todo.outdated} of {len(keys)} cases are measured again: sources, settings or versions have changed"
            )
            log.info(f"{name}: {again}")
            print(f"{name}: {again}", file=sys.stderr)
        earlier = (run.repetitions for run in self._journal.runs if run.instance == self._here.name)
        here = set(self._repetitions).union(*earlier)
        for case in runnable:
            self._remember(case, [entry for entry in todo.entries(case) if entry.repetition in here])
        self._bench.setup = Setup.of(self._protocol.seed, number)
        self._bench.predictor.trusted = number > 1
        if missing and number == 1:
            # An earlier run's caches of just-in-time compilers would shorten start-up times, so delete these caches.
            shutil.rmtree(self._bench.scratch, ignore_errors=True)
        self._bench.progress.start(len(missing))
        with watching(self._bench, missing, [w for w in self._journal.watched if w.repetition in here]) as sampler:
            for place, group in enumerate(self._groups(todo, missing)):
                label = f"r{number}g{place + 1}"
                # Cases that ran out of memory beside other workers are tried again beside the baselines only.
                for again in self._measure_group(todo, group, sampler, label=label, again=True):
                    for few in self._groups(todo, again):
                        self._measure_group(todo, few, sampler, label=f"{label}alone")
        self._measured += len(missing)

    def _verdict(self, case):
        """Return a Verdict if a case cannot run, else None."""
        return case.verdict or self._not_built(case) or self._bench.footprint.too_large(case)

    def _not_built(self, case):
        return self._bench.build_failure(self._bench.folder.implementations[case.implementation], case.device)

    def _groups(self, todo, cases):
        share = self._protocol.memory_fraction
        return self._bench.footprint.groups(cases, todo.companions(cases), share) if cases else []

    def _remember(self, case, entries):
        """Pass a case's results to the Predictor. All `entries` were measured on this instance of the machine."""
        predictor = self._bench.predictor
        for entry in entries:
            if entry.outcome == "ok":
                predictor.saw(case.predicted, self._bench.footprint.work(case.problem), entry.result.call_s)
                predictor.remember(case, entry.result)

    def _measure_group(self, todo, group, sampler, *, label, again=False):
        """Measure a group of cases together. Write a problem's results when all its cases in the group are measured.

        again  whether to return the cases that run out of memory beside other workers, as one list for each worker.
               Results of these cases are not written to the journal
        """
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{os.getpid()}-{label}"
        self._repetitions.append(name)
        again, exhausted = again and len({case.worker for case in group.cases}) > 1, {}
        journal = self._journal.part(todo.number)

        def finished(problem, states, watched):
            entries = []
            for state in states:
                key = todo.keys[state.case.id]
                entry = state.entry(key, repetition=name, number=todo.number, run=self._run)
                if again and entry.outcome == "out_of_memory":
                    exhausted.setdefault(state.case.worker, []).append(state.case)
                else:
                    entries.append(entry)
            journal.append(entries)
            journal.note(watched=watched)
            log.info(f"{problem}: {len(entries)} cases measured in repetition {label}")
            self._bench.progress.advance(len(entries), problem)

        serial = todo.number == 1 and self._protocol.startup and not is_peak(self._bench.folder.name)
        Repetition(self._bench, name, group, serial=serial, watch=sampler, finished=finished).measure()
        self._journal.read()
        return list(exhausted.values())


def _tuned(case, sweep, choices):
    """Return a case with the best parameters of the implementation `sweep`, or with a Verdict if none are known."""
    parameters = tuned.nearest(choices, sweep, case.device, problem=case.problem)
    if case.verdict is None and parameters is None:
        reason, remedy = f"the sweep {sweep} has no result on this device", f"add {sweep} to `implementations`"
        return dataclasses.replace(case, verdict=plan.Verdict("unsupported", f"{reason}: {remedy}", remedy))
    return dataclasses.replace(case, tuned=parameters)
