"""The coordinator: what is still missing of a kernel, repetitions until nothing is, and the result files at the end."""

import dataclasses
import logging
import os
import shlex
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from accelbench import project, toolchains
from accelbench.measure import merge, metadata, plan, provenance
from accelbench.measure.bench import Bench, read_machine
from accelbench.measure.keys import Keys
from accelbench.measure.reference import references
from accelbench.measure.repetition import Repetition
from accelbench.measure.todo import Todo
from accelbench.model.metadata import Measuring
from accelbench.processes.keeper import end_leftovers
from accelbench.store import files, formats, tuned
from accelbench.store.journal import Journal

log = logging.getLogger("accelbench")


def measure(config, machine_name, results, *, cores=None, output=None):
    """Measure what is missing of the kernel of an EffectiveConfig and write its timings and metadata. Returns the
    records.

    results  the machine's results folder, with machine.json, the kernel's builds and the journal
    output   the folder that gets timings/ and kernels/; `results` where None
    cores    how many of the available cores "all" threads means; all of them where None

    InputError where the journal is held by another process, or a file the stage needs is missing.
    """
    end_leftovers()
    results, output = Path(results), Path(output or results)
    kernel = config.kernel.name
    machine = read_machine(results, config.kernel).limited_to(cores)
    bench = Bench(config, machine, machine_name, results=results)
    journal = Journal(results / "journal" / f"{kernel}.jsonl")
    with journal.held():
        journal.read()
        for line, problem in journal.damaged:
            log.warning(f"{journal.path}:{line}: not a whole entry ({problem}); it will be measured again")
        coordinator = Coordinator(bench, journal)
        records = coordinator.measure(plan.cases(config, machine))
        files.write(output / "timings" / f"{kernel}.jsonl", "".join(r.model_dump_json() + "\n" for r in records))
        described = metadata.describe(bench, journal.runs, coordinator.left_out)
        formats.write(output / "kernels" / f"{kernel}.json", described)
        if output == results:
            coordinator.leave_for_the_next_run()
    return records


class Coordinator:
    """Measures what a journal lacks, on a Bench."""

    def __init__(self, bench: Bench, journal: Journal):
        self._bench, self._journal = bench, journal
        self._protocol, self._baseline = bench.config.protocol, bench.folder.spec.baseline
        self._keys = Keys(bench.config, bench.machine, _recipes(bench.config))
        self._cases, self._measured = [], 0
        self._begin, self._started = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")

    @property
    def left_out(self):
        """How many cases were measured before that nobody asks for now."""
        return len({case for case, _ in self._journal.entries} - {case.id for case in self._cases})

    def measure(self, cases):
        """The Records of `cases`, in their order."""
        try:
            records = self._all_records(cases)
        finally:
            self._bench.verifier.close()
            self._bench.progress.stop()
        if self._measured:
            self._journal.note_run(self._about_run())
        return records

    def leave_for_the_next_run(self):
        """See to it that the journal is there, and says whether the next run tries a case again."""
        self._journal.path.touch()
        runnable = [case for case in self._cases if case.verdict is None]
        tried_again = self._journal.is_tried_again
        self._journal.set_due(any(tried_again(case, self._keys(case), self._protocol) for case in runnable))

    def _about_run(self) -> Measuring:
        steps = self._bench.steps
        return Measuring(
            started=self._started,
            wall_s=time.perf_counter() - self._begin,
            in_samples_s=steps.in_samples,
            steps_s=dict(sorted(steps.seconds.items(), key=lambda step: -step[1])),
            cases=self._measured,
            command=shlex.join(["python", "-m", "accelbench", *sys.argv[1:]]),
            **provenance.commit(project.ROOT),
            config=self._bench.config.config.model_dump(mode="json"),
        )

    def _all_records(self, cases):
        """What is tuned by a sweep comes after it, beside the baseline again, with what the sweep has found."""
        implementations = self._bench.folder.implementations
        sweeps = {case.id: implementations[case.implementation].tuned_by for case in cases}
        self._cases = [case for case in cases if sweeps[case.id] is None]
        records = self._records(self._cases)
        if any(sweeps.values()):
            swept = [record for record in records.values() if record.implementation in sweeps.values()]
            choices = tuned.update(self._bench.results, self._bench.folder.name, swept)
            later = [_tuned(case, sweeps[case.id], choices) for case in cases if sweeps[case.id]]
            beside = [case for case in cases if case.implementation == self._baseline]
            records |= self._records([*later, *beside])
            self._cases = [*self._cases, *later]
        return [records[case.id] for case in cases]

    def _records(self, cases):
        """{id: Record} of `cases`, what is missing of them measured."""
        verdicts = {case.id: self._verdict(case) for case in cases}
        runnable = [case for case in cases if verdicts[case.id] is None]
        keys = {case.id: self._keys(case) for case in runnable}
        todo = Todo(runnable, keys, journal=self._journal, protocol=self._protocol, baseline=self._baseline)
        if todo.outdated:
            line = f"{self._bench.folder.name}: {todo.outdated} of {len(keys)} cases are measured again"
            line += ": sources, settings or versions are others"
            log.info(line)
            print(line, file=sys.stderr)
        self._repeat(todo)
        return {case.id: self._record(case, verdicts[case.id], todo) for case in cases}

    def _record(self, case, verdict, todo):
        entries, key = todo.entries(case), todo.keys.get(case.id)
        return merge.record(self._bench, case, verdict=verdict, entries=entries, key=key)

    def _verdict(self, case):
        """(outcome, reason) of a case that cannot run, else None."""
        if case.verdict:
            return case.verdict
        reason = self._bench.build_failure(self._bench.folder.implementations[case.implementation], case.device)
        return ("build_failed", reason) if reason else self._bench.footprint.too_large(case)

    def _repeat(self, todo):
        """Measure repetitions until every case has what it needs."""
        for case in todo.cases:
            self._remember(case, todo.entries(case))
        missing = {case.id: todo.missing(case) for case in todo.cases}
        unmeasured = sum(map(bool, missing.values()))
        if unmeasured:
            # What just-in-time compilers kept from an earlier run would make this one's start-up look cheap.
            shutil.rmtree(self._bench.scratch, ignore_errors=True)
        self._bench.progress.start(sum(missing.values()))
        with references(self._bench, unmeasured > 0) as watch:
            for number in range(self._protocol.processes):
                for place, group in enumerate(self._groups(todo, todo.wanted(number))):
                    label, serial = f"p{number + 1}g{place + 1}", number == 0 and self._protocol.startup
                    # What ran out of memory beside other workers is tried again without them.
                    for again in self._hold(todo, group, label, serial=serial, references=watch, again=True):
                        for few in self._groups(todo, again):
                            self._hold(todo, few, f"{label}alone", serial=serial, references=watch)
        self._measured += unmeasured

    def _groups(self, todo, cases):
        share = self._protocol.memory_fraction
        return self._bench.footprint.groups(cases, todo.companions(cases), share) if cases else []

    def _remember(self, case, entries):
        for entry in entries:
            if entry.outcome == "ok":
                work = self._bench.footprint.work(case.problem)
                self._bench.predictor.saw(case.predicted, work, entry.result.call_s)
                self._bench.predictor.measured.add(case.id)

    def _hold(self, todo, group, label, *, serial, references, again=False):
        """Measure one repetition and journal each problem as it finishes.

        again  whether cases that ran out of memory beside other workers, which may hold what they lack, are not
               journaled, but returned, those of each worker as a list
        """
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{os.getpid()}-{label}"
        again, exhausted = again and len({case.worker for case in group.cases}) > 1, {}

        def finished(problem, lives):
            entries = []
            for live in lives:
                entry = live.entry(todo.keys[live.case.id], name)
                if again and entry.outcome == "out_of_memory":
                    exhausted.setdefault(live.case.worker, []).append(live.case)
                else:
                    entries.append(entry)
            self._journal.append(entries)
            self._bench.predictor.measured.update(entry.case for entry in entries if entry.outcome == "ok")
            log.info(f"{problem}: {len(entries)} cases measured in repetition {label}")
            self._bench.progress.advance(len(entries), problem)

        Repetition(self._bench, name, group, serial=serial, references=references, finished=finished).measure()
        return list(exhausted.values())


def _recipes(config):
    """{implementation: what its builds are made by}, for keys."""
    return {
        name: [
            toolchains.recipe(i, source, config.build, compiled_by=toolchains.compiler_version(i, config.build))
            for source in ([i.path.name, *i.sources] if i.path.suffix == ".pyx" else i.sources)
        ]
        for name, i in config.kernel.implementations.items()
    }


def _tuned(case, sweep, choices):
    """A case with the parameters that a sweep found for it, or a verdict where there was none."""
    parameters = tuned.nearest(choices, sweep, case.device, problem=case.problem)
    if case.verdict is None and parameters is None:
        reason = f"{sweep} has not been swept on this device: add it to `implementations`"
        return dataclasses.replace(case, verdict=("unsupported", reason))
    return dataclasses.replace(case, tuned=parameters)
