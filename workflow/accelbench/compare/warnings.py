"""Warnings about differences between two runs, except differences in time. Each warning is one sentence."""

from collections import defaultdict

from accelbench.compare.pairs import ANOTHER, IMPLAUSIBLE, OLD, ONE, PEAK

SHOWN = 4  # Maximum number of names in a list; further names are counted
SETTINGS = ("protocol", "build")


def warnings(runs):
    """Return all warnings for readers of the ratios, the most important first."""
    return [*_machines(runs), *_protocols(runs), *_cases(runs), *_settings(runs), *_software(runs), *_evidence(runs)]


def _machines(runs):
    first, second = (results.machine for results in runs.results)
    if not first.owner.is_like(second.owner):
        shown = (f"{machine.cpu.model} with {machine.cpu.available} cores" for machine in (first, second))
        yield f"The machines differ: {_differ(runs, *shown)}"
    elif others := [pair for pair in runs.pairs if pair.note == ANOTHER]:
        shown = (", ".join(sorted(set.union(*(pair.instances[place] for pair in others)))) for place in (0, 1))
        of = "the" if len(others) == len(runs.pairs) else f"{len(others)} of the"
        yield f"Different machines of the same kind: {_differ(runs, *shown)}; {of} cases in both runs have no verdict"
    for name, one, other in (("GPU driver", first.driver, second.driver), ("Python", first.python, second.python)):
        if one != other:
            yield f"{name}: {_differ(runs, one or 'none', other or 'none')}"


def _protocols(runs):
    if old := [pair for pair in runs.pairs if pair.note == OLD]:
        shown = (", ".join(map(str, sorted({pair.protocols[place] for pair in old}))) for place in (0, 1))
        of = "the" if len(old) == len(runs.pairs) else f"{len(old)} of the"
        yield f"Versions of the protocol differ: {_differ(runs, *shown)}; {of} cases in both runs have no verdict"


def _cases(runs):
    """Yield differences between the threads, dtypes and devices of the runs."""
    for word, name in (("threads", "Threads"), ("dtype", "Dtypes"), ("device", "Devices")):
        swept = [
            {getattr(r, word) for r in results.records if r.outcome == "ok" and not r.kernel.startswith(PEAK)} - {None}
            for results in runs.results
        ]
        if swept[0] != swept[1]:
            shown = (", ".join(map(str, sorted(values))) or "none" for values in swept)
            yield f"{name} differ: {_differ(runs, *shown)}"


def _settings(runs):
    """Yield differences between the kernels' baselines, and between the configurations of their last runs."""
    differences = defaultdict(list)
    first, second = (results.kernels for results in runs.results)
    baselines = [_baselines(pair.first for pair in runs.pairs), _baselines(pair.second for pair in runs.pairs)]
    for kernel in sorted(first.keys() & second.keys()):
        one, other = (", ".join(sorted(side[kernel])) for side in baselines)
        if one and other and one != other:
            differences["baseline", one, other].append(kernel)
        if first[kernel].runs and second[kernel].runs:
            configs = [metadata.runs[-1].config for metadata in (first[kernel], second[kernel])]
            for section in SETTINGS:
                one, other = (getattr(config, section) for config in configs)
                for key in sorted(one.keys() | other.keys()):
                    if one.get(key) != other.get(key):
                        differences[f"{section}.{key}", str(one.get(key)), str(other.get(key))].append(kernel)
    for (key, one, other), kernels in differences.items():
        yield f"{key} differs: {_differ(runs, one, other)} ({', '.join(kernels[:SHOWN])}{_more(kernels)})"


def _baselines(cases):
    """Return {kernel: names of the baselines of these cases}."""
    baselines = defaultdict(set)
    for case in cases:
        if case.baseline:
            baselines[case.record.kernel].add(case.baseline.case.record.implementation)
    return baselines


def _software(runs):
    """Yield differences between the versions of compilers and libraries."""
    first, second = map(_versions, runs.results)
    changed = [name for name in sorted(first.keys() & second.keys()) if first[name] != second[name]]
    if changed:
        shown = (", ".join(f"{name} {side[name] or 'none'}" for name in changed[:SHOWN]) for side in (first, second))
        yield f"Versions differ: {_differ(runs, *shown)}{_more(changed)}"


def _versions(results):
    """Return {compiler or library: version}. If backends have different versions, prefer that of a measured backend."""
    measured, versions = {record.backend for record in results.records}, dict(results.machine.compilers)
    for _, backend in sorted(results.machine.backends.items(), key=lambda item: item[0] in measured):
        versions |= backend.versions
    return versions


def _evidence(runs):
    for name, results in zip(runs.names, runs.results, strict=True):
        if max((len(record.repetitions) for record in results.records), default=0) < 2:
            yield f"{name} was measured in one process, so there are no intervals and no verdicts"
    implausible = sum(pair.note == IMPLAUSIBLE for pair in runs.pairs)
    if implausible:
        yield f"{implausible} of the cases in both runs have no verdict: a time is shorter than the machine can reach"
    shared = set.intersection(*({s for r in results.records for s in r.repetitions} for results in runs.results))
    if shared and not any("@" in record.implementation for record in runs.results[0].records):
        yield f"The runs have {len(shared)} repetitions in common: both contain these measurements"
    elif one := sum(pair.note == ONE for pair in runs.pairs):
        yield f"{one} of the cases in both runs have no verdict: both contain the same measurement"


def _differ(runs, first, second):
    return f"{first} in {runs.names[0]}, {second} in {runs.names[1]}"


def _more(names):
    """Return as text how many names are not shown: " and 3 more"; "" if all are shown."""
    return f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
