"""The coordinator: what is still missing of a kernel, sittings until nothing is, and the result files at the end."""

import contextlib
import dataclasses
import logging
import os
import shlex
import shutil
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from accelbench import project, toolchains
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.machine.memory import free_memory_bytes
from accelbench.measure import card, merge, plan, provenance
from accelbench.measure.keys import Keys
from accelbench.measure.prediction import Predictor, work
from accelbench.measure.progress import Progress
from accelbench.measure.sitting import DEADLINE_FACTOR, Live, Reference, Sitting
from accelbench.measure.verifier import Verifier
from accelbench.measure.workers import Failed, Worker
from accelbench.model.machine import Machine
from accelbench.model.metadata import Measuring
from accelbench.model.parameters import plain
from accelbench.processes.keeper import end_leftovers
from accelbench.store import files, formats, tuned
from accelbench.store.journal import Entry, Journal
from accelbench.toolchains.log import telling_line

WORKER_BYTES = 200 << 20  # what a worker needs before it holds any array: interpreter and library
TRUTHS = 5  # so many times a problem's arrays lie in the verifier, and with what comes there from a worker
CONTEXT_BYTES = 600 << 20  # what a worker's context takes of a GPU's memory
DEVICE_COPIES = 3  # of a device's arrays in host memory: to upload from, to download to, and page-locked ones
PYTHON_OBJECTS = 8  # a list of Python numbers is this many times as large as an array of them
RESIDENT_RANGE = (0.25, 4.0)  # of the last-level cache: where a sample is made longer
REFILL_RATE = 2e10  # bytes/s at which a working set comes back into the caches (35e9 measured, with a margin)
REFERENCE_SIZE = 100_000


class Run:
    """One measuring of one kernel on one machine: what all its sittings share."""

    def __init__(self, config, machine, name, results, progress, log, verbose=False):
        self.config, self.folder, self.machine, self.name = config, config.kernel, machine, name
        self.results, self.progress, self.log, self.verbose = Path(results), progress, log, verbose
        self.scratch = (self.results / "scratch" / self.folder.name).resolve()
        deadline_s = DEADLINE_FACTOR * config.protocol.timeout_s
        self.verifier = Verifier(self.scratch, deadline_s, int(free_memory_bytes()))
        self.predictor = Predictor()
        self.in_samples_s = 0.0
        self.steps_s, self._stepping = Counter(), False
        self.measured_before = set()
        self.manifests = load_manifests(self.results, self.folder)
        self._devices = {
            (name, device.name): device for name, backend in machine.backends.items() for device in backend.devices
        }

    @contextlib.contextmanager
    def step(self, name):
        """Add the time spent within to what measuring spent on steps of this name; steps within it do not count."""
        if self._stepping:
            yield
            return
        self._stepping, begin = True, time.perf_counter()
        try:
            yield
        finally:
            self._stepping = False
            self.steps_s[name] += time.perf_counter() - begin

    def device(self, case):
        return self._devices[case.backend, case.device]

    # what a sitting asks for

    def start(self, case):
        """A worker process with the environment this case's threads and device need."""
        return Worker(case.threads, self.device(case).kind, self.scratch, self.verbose)

    def recipe(self, case):
        """What a worker must open to run this case's implementation."""
        implementation = self.folder.implementations[case.implementation]
        manifest = self.manifests.get(implementation.toolchain)
        artifacts = manifest.artifacts if manifest else []
        return {
            "file": str(implementation.path),
            "backend": case.backend,
            "device": self.device(case).as_dict(),
            "threads": case.threads,
            "toolchain": implementation.toolchain,
            "build_folder": str((self.results / "build" / self.folder.name).resolve()),
            "artifacts": {
                artifact.source: dataclasses.asdict(artifact)
                for artifact in artifacts
                if artifact.serves(implementation.name, case.device)
            },
            "unbuilt": sorted(set(implementation.sources) - set(_built(implementation))),
            "memory_bytes": int(free_memory_bytes()),
        }

    def description(self, case, problem):
        """What `prepare(case)` sees of a case."""
        return {
            "size": problem.size,
            "dtype": problem.dtype,
            "options": problem.options,
            "parameters": plain(case.parameters),
            "tuned": case.tuned and plain(case.tuned),
        }

    def cost(self, problem):
        return self.folder.cost(problem.size, np.dtype(problem.dtype).itemsize, problem.options)

    def held(self, problem):
        return self.folder.held(problem.size, problem.dtype, problem.options)

    def amount(self, problem):
        return work(self.cost(problem))

    def smaller(self, problem, amount):
        """The problem like `problem` whose work comes nearest to `amount` without exceeding it (size 1 at least)."""
        low, high = 1, max(problem.size, 1)
        while low < high:
            middle = (low + high + 1) // 2
            if self.amount(dataclasses.replace(problem, size=middle)) <= amount:
                low = middle
            else:
                high = middle - 1
        return dataclasses.replace(problem, size=low)

    def cache_bytes(self, case):
        device = self.device(case)
        return self.machine.cpu.caches.get("L3") if device.on_host else device.limits.get("cache_bytes")

    def working_set(self, problem):
        """Bytes that one call touches: of arrays that are gone through again and again each is counted once."""
        return min(self.held(problem), sum(self.cost(problem)[:2]))

    def resident(self, case):
        """Whether a case's working set fits the last-level cache of its device."""
        return self.working_set(case.problem) <= (self.cache_bytes(case) or 0)

    def live(self, case):
        """What a sitting knows of a case before it has begun."""
        refill_s = self.working_set(case.problem) / REFILL_RATE if self.resident(case) else 0.0
        return Live(case, self.amount(case.problem), refill_s)

    def warm_up_settings(self, live):
        """How long to warm up, and how long a sample of each kind must last."""
        protocol = self.config.protocol
        low, high = (share * (self.cache_bytes(live.case) or 0) for share in RESIDENT_RANGE)
        host = protocol.sample_cache_s if low <= self.working_set(live.case.problem) <= high else protocol.sample_s
        on_host = self.device(live.case).on_host
        return {
            "warm_up_s": protocol.budget_s / (16 if live.loops else 8),
            "calls_made": 2 if not live.loops else 0,
            "sample_s": {"compute": host if on_host else protocol.sample_device_s, "call": host / 2},
        }

    def is_new(self, case):
        """Whether no process has measured this case yet: some things need doing once only."""
        return case.id not in self.measured_before

    def precision(self, case):
        protocol = self.config.protocol
        return protocol.precision_host if self.device(case).on_host else protocol.precision_device

    def bytes_needed(self, case):
        """{memory: bytes} a worker needs for one problem, estimated from the arrays it reads and writes.

        A memory is "host", or the name of a GPU.
        """
        arrays = int(self.held(case.problem))
        if case.device == "cpu":
            return {"host": arrays * (PYTHON_OBJECTS if case.backend == "python" else 1)}
        if self.device(case).on_host:
            return {"host": DEVICE_COPIES * arrays}
        return {"host": DEVICE_COPIES * arrays, case.device: arrays}

    def memories(self, fraction):
        """{memory: bytes workers may fill}: that share of what the host has free and of what each GPU has."""
        gpus = {d.name: d.limits["memory_bytes"] for d in self._devices.values() if not d.on_host}
        return {memory: fraction * size for memory, size in {"host": free_memory_bytes(), **gpus}.items()}


def read_machine(path, folder):
    """The machine's description; InputError where it is damaged, or says nothing of a backend the kernel has."""
    again = "Delete it and run again as before: make report CONFIG=..."
    machine = formats.read(Machine, path, again)
    for implementation in folder.implementations.values():
        if implementation.backend not in machine.backends:
            raise InputError(path, f"says nothing of the backend {implementation.backend!r}", again)
    return machine


def load_manifests(results, folder):
    """{toolchain: Manifest} of what has been built of a kernel."""
    home = Path(results) / "build" / folder.name
    return {t: toolchains.load(home / f"{t}.json") for t in toolchains.needed(folder) if (home / f"{t}.json").exists()}


def _built(implementation):
    """The names of what must be built for an implementation; its other SOURCES it reads itself."""
    module = toolchains.modules().get(implementation.toolchain)
    return module.built(implementation) if module else implementation.sources


def build_failure(run, implementation, device):
    """The reason a case cannot run because something was not built, or None."""
    if not _built(implementation):
        return None
    manifest = run.manifests.get(implementation.toolchain)
    artifacts = [a for a in (manifest.artifacts if manifest else []) if a.serves(implementation.name, device)]
    if not artifacts:
        return f"nothing was built for it with the toolchain {implementation.toolchain!r}: run the build stage again"
    for artifact in artifacts:
        if artifact.outcome != "ok":
            return f"{artifact.source}: {telling_line(artifact.log)}"[:400]
    return None


def measure(config, machine_name, results, cores=None, output=None):
    """Measure what is missing of the kernel of an EffectiveConfig and write its timings and card. Returns the records.

    results  the machine's results folder, with machine.json, the kernel's builds and the journal
    output   the folder that gets timings/ and kernels/; `results` where None
    cores    how many of the available cores "all" threads means; all of them where None

    InputError where the journal is held by another process, or a file the stage needs is missing.
    """
    end_leftovers()
    results, output = Path(results), Path(output or results)
    folder, kernel = config.kernel, config.kernel.name
    machine = read_machine(results / "machine.json", folder)
    machine = machine.limited_to(cores)
    progress, log = Progress(kernel), logging.getLogger("accelbench")
    run = Run(config, machine, machine_name, results, progress, log)
    cases = plan.cases(config, machine)
    recipes = {
        name: [
            toolchains.recipe(i, source, config.build, toolchains.compiler_version(i, config.build))
            for source in ([i.path.name, *i.sources] if i.path.suffix == ".pyx" else i.sources)
        ]
        for name, i in folder.implementations.items()
    }
    keys = Keys(config, machine, recipes)
    journal = Journal(results / "journal" / f"{kernel}.jsonl")
    begin, started = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
    with journal.held():
        journal.read()
        for line, problem in journal.damaged:
            log.warning(f"{journal.path}:{line}: not a whole entry ({problem}); it will be measured again")
        try:
            records, measured, cases = _all_records(run, journal, keys, cases)
        finally:
            run.verifier.close()
            progress.stop()
        if measured:
            about = Measuring(
                started=started,
                wall_s=time.perf_counter() - begin,
                in_samples_s=run.in_samples_s,
                steps_s=dict(run.steps_s.most_common()),
                cases=measured,
                command=shlex.join(["python", "-m", "accelbench", *sys.argv[1:]]),
                **provenance.commit(project.ROOT),
                config=config.config.model_dump(mode="json"),
            )
            journal.note_run(about)
        files.write(output / "timings" / f"{kernel}.jsonl", "".join(r.model_dump_json() + "\n" for r in records))
        left_out = {case for case, _ in journal.entries} - {case.id for case in cases}
        formats.write(output / "kernels" / f"{kernel}.json", card.card(run, journal.runs, len(left_out)))
        if output == results:
            _leave_for_the_next_run(run, journal, keys, cases)
    return records


def _leave_for_the_next_run(run, journal, keys, cases):
    """See to it that the journal is there, and says whether the next run tries a case again."""
    journal.path.touch()
    runnable = [case for case in cases if case.verdict is None]
    journal.set_due(any(journal.is_tried_again(case, keys(case), run.config.protocol) for case in runnable))


def _all_records(run, journal, keys, cases):
    """(the Records of `cases`, how many of them were measured now, `cases` as they were measured: tuned).

    What is tuned by a sweep comes after it, beside the baseline again, with what the sweep has found.
    """
    implementations = run.folder.implementations
    sweeps = {case.id: implementations[case.implementation].tuned_by for case in cases}
    swept = [case for case in cases if sweeps[case.id] is None]
    records, measured = _records(run, journal, keys, swept)
    if any(sweeps.values()):
        told = [record for record in records.values() if record.implementation in sweeps.values()]
        choices = tuned.update(run.results, run.folder.name, told)
        later = [_tuned(case, sweeps[case.id], choices) for case in cases if sweeps[case.id]]
        beside = [case for case in cases if case.implementation == run.folder.spec.baseline]
        more, measured_later = _records(run, journal, keys, [*later, *beside])
        records, measured = records | more, measured + measured_later
        swept += later
    return [records[case.id] for case in cases], measured, swept


def _tuned(case, sweep, choices):
    """A case with the parameters that a sweep found for it, or a verdict where there was none."""
    found = tuned.nearest(choices, sweep, case.device, case.problem)
    if case.verdict is None and found is None:
        reason = f"{sweep} has not been swept on this device: add it to `implementations`"
        return dataclasses.replace(case, verdict=("unsupported", reason))
    return dataclasses.replace(case, tuned=found)


def _records(run, journal, keys, cases):
    """({id: Record} of `cases`, how many of them were measured now)."""
    verdicts = {case.id: case.verdict or _unbuilt(run, case) or too_large(run, case) for case in cases}
    runnable = [case for case in cases if verdicts[case.id] is None]
    case_keys = {case.id: keys(case) for case in runnable}
    _tell_outdated(run, journal, case_keys)
    measured = _sittings(run, journal, runnable, case_keys)
    records = {
        case.id: merge.record(
            run, case, verdicts[case.id], _entries(run, journal, case, case_keys), case_keys.get(case.id)
        )
        for case in cases
    }
    return records, measured


def _tell_outdated(run, journal, case_keys):
    """Say in a line what was measured before and does not hold any more."""
    known = {case for case, _ in journal.entries}
    outdated = sum(case in known and (case, key) not in journal.entries for case, key in case_keys.items())
    if outdated:
        counted = f"{outdated} of {len(case_keys)} cases are measured again"
        line = f"{run.folder.name}: {counted}: sources, settings or versions are others"
        run.log.info(line)
        print(line, file=sys.stderr)


def _unbuilt(run, case):
    reason = build_failure(run, run.folder.implementations[case.implementation], case.device)
    return ("build_failed", reason) if reason else None


def too_large(run, case):
    """The verdict on a case that would fill a memory on its own, and be killed for it; None for others."""
    have = run.memories(1.0)
    for memory, (workers, problems) in _needs(run, [case]).items():
        needed = workers + max(problems.values())
        if needed > have[memory]:
            where = "" if memory == "host" else f" of {memory}'s"
            return (
                "out_of_memory",
                f"it needs about {needed / 1e9:.3g} GB{where} memory, {have[memory] / 1e9:.3g} GB are free",
            )
    return None


def _entries(run, journal, case, case_keys):
    return journal.valid(case, case_keys[case.id], run.config.protocol) if case.id in case_keys else []


def _sittings(run, journal, runnable, case_keys):
    """Hold sittings until every runnable case has what it needs; the number of cases measured."""
    protocol = run.config.protocol

    def missing(case):
        entries = journal.valid(case, case_keys[case.id], protocol)
        if entries and (entries[-1].outcome != "ok" or entries[-1].result.get("long")):
            return 0
        return max(0, protocol.processes - len({e.sitting for e in entries}))

    def companions(cases):
        """The baseline's cases of the same problems, unless they have failed."""
        problems = {case.problem.id for case in cases}
        return [
            case
            for case in runnable
            if case.implementation == run.folder.spec.baseline
            and case.problem.id in problems
            and case not in cases
            and not _is_final(journal.valid(case, case_keys[case.id], protocol))
        ]

    for case in runnable:
        for entry in journal.valid(case, case_keys[case.id], protocol):
            if entry.outcome == "ok":
                run.predictor.saw(Sitting.what(case), run.amount(case.problem), entry.result["call_s"])
                run.measured_before.add(case.id)
    todo = {case.id for case in runnable if missing(case)}
    if todo:
        # What just-in-time compilers kept from an earlier run would make this one's start-up look cheap.
        shutil.rmtree(run.scratch, ignore_errors=True)
    run.progress.start(sum(missing(case) for case in runnable))
    with _references(run, todo) as references:
        for repetition in range(protocol.processes):
            wanted = [c for c in runnable if missing(c) > 0 and missing(c) >= protocol.processes - repetition]
            if not wanted:
                continue
            alone = repetition == 0 and protocol.startup
            for number, (group, kept) in enumerate(_groups(run, wanted, companions(wanted))):
                label = f"p{repetition + 1}g{number + 1}"
                exhausted = _hold(run, journal, group, kept, references, case_keys, label, alone, again=True)
                for again in exhausted:
                    for few, kept_then in _groups(run, again, companions(again)):
                        _hold(run, journal, few, kept_then, references, case_keys, f"{label}alone", alone)
    return len(todo)


def _is_final(entries):
    return bool(entries) and entries[-1].outcome != "ok"


def _hold(run, journal, cases, kept, references, case_keys, label, alone, again=False):
    """Hold one sitting and journal each problem as it finishes.

    again  whether cases that ran out of memory beside other workers are to be tried again without these, which may hold
           what they lack: they are not journaled, but returned, those of each worker as a list
    """
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{os.getpid()}-{label}"
    exhausted = {}

    def finished(problem, lives):
        entries = [_entry(run, live, case_keys[live.case.id], name) for live in lives]
        if again and len({case.worker for case in cases}) > 1:
            for live, entry in zip(lives, entries, strict=True):
                if entry.outcome == "out_of_memory":
                    exhausted.setdefault(live.case.worker, []).append(live.case)
            entries = [entry for entry in entries if entry.outcome != "out_of_memory"]
        journal.append(entries)
        run.measured_before.update(entry.case for entry in entries if entry.outcome == "ok")
        run.log.info(f"{problem}: {len(entries)} cases measured in sitting {label}")
        run.progress.advance(len(entries), problem)

    Sitting(run, name, [run.live(case) for case in cases], kept, references, finished, alone).measure()
    return list(exhausted.values())


def _entry(run, live, key, sitting):
    """A journal entry from what a sitting found out about a case."""
    failure = live.failure or {}
    result = {k: v for k, v in failure.items() if k not in ("outcome", "reason")}
    if not failure:
        result |= {
            "timings": {
                kind: {"samples_s": live.samples[kind], "rounds": live.rounds[kind], "loops": live.loops[kind]}
                for kind in live.samples
            },
            "converged": live.converged,
            "long": live.long,
            "call_s": live.call_s,
            "facts": live.facts,
            "energy_j": live.energy_j,
            "cores_used": live.cores_used,
            "inputs_replaced": live.inputs_replaced,
            "noise": live.noise,
            "rooms": live.rooms,
            "environment": live.environment,
            **live.error,
        }
    result["startup"] = live.startup
    return Entry(live.case.id, key, sitting, failure.get("outcome", "ok"), failure.get("reason"), result)


def _groups(run, wanted, companions):
    """[(cases, kept problems), ...]: which cases sit together, so that live workers fit into memory, the baseline in
    each; and the problems whose arrays may stay where they are between visits."""
    limits = run.memories(run.config.protocol.memory_fraction)
    everything = [*wanted, *companions]
    base = [case for case in everything if case.implementation == run.folder.spec.baseline]
    groups, current = [], []
    by_worker = {}
    for case in everything:
        if case not in base:
            by_worker.setdefault(case.worker, []).append(case)
    for cases in by_worker.values():
        needs = _needs(run, [*base, *current, *cases])
        if current and any(workers + max(problems.values()) > limits[m] for m, (workers, problems) in needs.items()):
            groups.append(current)
            current = []
        current += cases
    groups.append(current)
    divided = []
    for group in groups:
        # A baseline case sits in the first group, and again wherever others are compared with it.
        problems = {case.problem.id for case in (group if divided else [*group, *base])}
        cases = [*group, *(case for case in base if case.problem.id in problems)]
        divided.append((cases, _kept(_needs(run, cases), limits)))
    return divided


def _needs(run, cases):
    """{memory: (bytes of the workers themselves, {problem: bytes of its arrays in all workers})} of `cases`."""
    workers = {case.worker: run.device(case) for case in cases}
    held = {(case.problem.id, case.worker): run.bytes_needed(case) for case in cases}
    found = {"host": (WORKER_BYTES * len(workers), {})}
    for device in workers.values():
        if not device.on_host:
            size, problems = found.get(device.name, (0, {}))
            found[device.name] = size + CONTEXT_BYTES, problems
    for (problem, _), sizes in held.items():
        for memory, size in sizes.items():
            problems = found[memory][1]
            problems[problem] = problems.get(problem, 0) + size
    # Inputs and expected results are the verifier's, too, as they are, changed, and of the other seed.
    on_host = found["host"][1]
    for problem in {case.problem.id: case.problem for case in cases}.values():
        on_host[problem.id] += TRUTHS * int(run.held(problem))
    return found


def _kept(needs, limits):
    """The problems, smallest first, whose arrays can stay in every memory beside those of the largest other one."""
    _, on_host = needs["host"]
    ascending = sorted(on_host, key=on_host.get)
    kept = set()
    for i, problem in enumerate(ascending):
        for memory, (workers, problems) in needs.items():
            used = workers + sum(problems.get(other, 0) for other in kept)
            rest = max((problems.get(other, 0) for other in ascending[i + 1 :]), default=0)
            if used + problems.get(problem, 0) + rest > limits[memory]:
                return kept
        kept.add(problem)
    return kept


@contextlib.contextmanager
def _references(run, todo):
    """The Reference cases that watch the machine while anything is `todo`; their workers are gone afterwards."""
    references = []
    try:
        if todo:
            with run.step("start references"):
                _start_references(run, references)
        yield references
    finally:
        for reference in references:
            reference.worker.kill()


def _start_references(run, references):
    """The limits' read bandwidth at a size in cache, on one and on all threads, appended to `references`."""
    folder = catalog.load(project.LIMITS / "limit_read")
    watcher = Run(EffectiveConfig(run.config.config, folder), run.machine, run.name, run.results, run.progress, run.log)
    problem = plan.Problem("limit_read", {}, REFERENCE_SIZE, "float64")
    available = run.machine.cpu.available
    chosen = [(folder.implementations[folder.spec.baseline], 1)]
    chosen += [(i, available) for i in folder.implementations.values() if i.backend == "cffi" and i.threads][:1]
    shared = run.verifier.given(folder, problem, run.config.protocol.seed, which=0)
    for implementation, threads in chosen:
        if build_failure(watcher, implementation, "cpu"):
            continue
        case = plan.Case(problem, implementation.name, implementation.backend, "cpu", threads, {})
        worker = watcher.start(case)
        try:
            worker.ask("open", watcher.recipe(case), timeout=60)
            worker.ask("load", problem.id, shared.message, timeout=60)
            worker.ask("prepare", problem.id, "reference", watcher.description(case, problem), timeout=60)
            sample_s = run.config.protocol.sample_s / 2
            settings = {"warm_up_s": 0.05, "calls_made": 0, "sample_s": {"compute": sample_s, "call": sample_s}}
            found = worker.ask("warm_up", "reference", settings, timeout=60)
            references.append(Reference(case.id, worker, {"compute": found["compute"][1]}))
        except Failed as failed:
            run.log.warning(f"reference {case.id}: {failed}")
            worker.kill()
    shared.close()
