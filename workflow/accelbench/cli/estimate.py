"""Estimate of the number of cases that a run has to measure, and of the duration of the run."""

from functools import cache
from statistics import fmean

from accelbench.lectures import entries, needs
from accelbench.machine import devices
from accelbench.machine.description import describe
from accelbench.measure import plan
from accelbench.measure.keys import Keys
from accelbench.measure.todo import Todo
from accelbench.model.record import Record, case_id
from accelbench.model.watched import is_peak
from accelbench.store import files, load
from accelbench.store.journal import KernelJournal

CASE_S = 0.3  # Assumed time of a case in one repetition on a machine without earlier runs, in seconds
GO_ON = 0.5  # Assumed share of the cases that each repetition after `protocol.repetitions.min` measures


def estimate(config, kernels, results, *, cores, forgotten=()):
    """Return (text, estimated duration of a run in seconds). The text has the number of cases and the duration.

    kernels    EffectiveConfigs of the kernels to measure; None to estimate all figures of the lectures
    results    paths of the machines' results folders
    forgotten  requests to measure cases again (Agains) that the journals do not contain yet

    The time of a case is the mean in earlier runs of its kernel on this machine. Without such runs, it is the mean of
    the other kernels. Without any earlier runs, it is CASE_S.
    """

    @cache
    def read_journal(home, kernel):
        journal = KernelJournal(home, kernel).read()
        for again in forgotten:
            journal.forget(again)
        return journal

    # missing: {(machine, repetition, case): probability that the run measures the case in this repetition}
    # parts: [(expected number of measurements that earlier items do not count, mean seconds of a case or None)]
    missing, parts = {}, []
    for home in results:
        machine = _machine(config, home).limited_to(None if cores == "all" else int(cores))
        for part in _figures(config, machine) if kernels is None else kernels:
            journal = read_journal(home, part.kernel.name)
            shares = {(home.name, *which): share for which, share in _missing(part, machine, journal, home=home)}
            parts.append((sum(shares[new] for new in shares.keys() - missing.keys()), _case_s(journal.runs, part)))
            missing = shares | missing
    if not missing:
        return "To measure: nothing, all cases have valid results", 0.0
    rates = [seconds for _, seconds in parts if seconds]
    duration_s = sum(count * (seconds or (fmean(rates) if rates else CASE_S)) for count, seconds in parts)
    new = {(machine, case) for machine, number, case in missing if number == 1}
    begun = {(machine, case) for machine, _, case in missing} - new
    counts = [
        f"{what}{len(cases)} case{'s' if len(cases) > 1 else ''}"
        for cases, what in ((new, ""), (begun, "further repetitions of "))
        if cases
    ]
    words = f"{'about' if rates else 'roughly'} {max(1, round(duration_s / 60))} min"
    return f"To measure: {', '.join(counts)}, {words}", duration_s


def _machine(config, home):
    """Return the Machine from machine.json. If this file is missing or lacks a backend, describe the machine anew."""
    probes = {("", backend) for backend in devices.without_environment(config.places)}
    probes |= {(place.name, backend) for place in config.places for backend in place.backends}
    if (home / "machine.json").exists() and probes <= (described := load.read_machine(home)).probes.keys():
        return described
    return describe(home.name, config)


def _figures(config, machine):
    return [
        need.config
        for entry in entries.read().values()
        for need in needs.of(entry, config)
        if need.config is not None and (need.part.needs != "gpu" or machine.has_gpu)
    ]


def _case_s(runs, config):
    """Return the mean seconds of a case in earlier runs with the same `budget_s`, or None if there are no such runs."""
    budget = config.protocol.model_dump(include={"budget_s"}).items()
    like = [run for run in runs if run.cases and budget <= run.config.protocol.items()]
    return sum(run.wall_s for run in like) / sum(run.cases for run in like) if like else None


def _missing(config, machine, journal, *, home):
    """Yield ((repetition, case id), probability) for cases without a valid entry in the journal.

    The probability is that of measuring the case in this repetition. If an implementation takes its parameters from
    another implementation's sweep, all entries of its cases count as valid.

    home  results folder; its records show which cases left the race before the last repetition
    """
    cases, keys = [case for case in plan.cases(config, machine) if case.verdict is None], {}
    tuned = {name for name, implementation in config.implementations.items() if implementation.tuned_by}
    if journal.paths:
        key = Keys(config, machine)
        keys = {case.id: key(case) for case in cases if case.implementation not in tuned}
    repetitions, name = config.protocol.repetitions, config.kernel.name
    lines = files.read_lines(home / "timings" / f"{name}.jsonl")[0] if repetitions.is_race else []
    raced = [Record.model_validate(line) for line in lines if "left" in line]
    left = {case_id(record) for record in raced if journal.entries(case_id(record), record.key)}
    cases = [case for case in cases if case.id not in left]
    known = {(e.number, e.case) for part in journal.parts for group in part.entries.values() for e in group}
    state = {"journal": journal, "protocol": config.protocol, "baselines": ()}
    for number in range(1, 2 if is_peak(name) else repetitions.max + 1):
        todo = Todo(cases, keys, number=number, **state)
        for case in todo.missing:
            if case.implementation not in tuned or (number, case.id) not in known:
                yield (number, case.id), GO_ON if number > repetitions.min > len(todo.entries(case)) else 1.0
