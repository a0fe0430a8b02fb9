"""What to use: best.csv, winners.csv, crossover.csv, scaling.csv and regret.csv.

Each looks at cases at their best parameters, chosen on one half of the rounds and reported from the other (see
`verdicts.choose`). The kernels that measure limits take no part: they are no way of accelerating anything.
Winners and crossovers are given once for each of TIMINGS, named in the column `timing`, and for transfers from and to
page-locked memory where a problem was measured with those.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from accelbench.analysis.cases import (
    CASE,
    PINNED,
    PROBLEM,
    Case,
    comparison,
    describe,
    describe_problem,
    format_parameters,
    has_default_block,
    parameter_id,
)
from accelbench.analysis.limits import is_limit
from accelbench.analysis.verdicts import FASTER, Choice, Comparison, between, choose, compare, find_winner, overtaking
from accelbench.statistics import geometric_mean

# The kernel alone on resident data; a whole call on resident data as the host sees it; from host arrays to host arrays.
TIMINGS = ("compute", "call", "end_to_end")

SPEEDUP = {"speedup": "float", "speedup_ci_low": "float", "speedup_ci_high": "float", "verdict": "str"}
BEST_COLUMNS = {
    **CASE,
    "parameters": "str",
    "compute_s": "float",
    **SPEEDUP,
    "candidates": "int",
    "held_out": "bool",
    "tie": "str",
    "implausible": "bool",
    "case": "str",
}
WINNERS_COLUMNS = {
    **PROBLEM,
    "timing": "str",
    "decision": "str",
    "winner": "str",
    "tie": "str",
    "unsettled": "str",
    "fastest": "str",
    "device": "str",
    "block_size": "str",
    "threads": "int",
    "seconds": "float",
    **SPEEDUP,
    "candidates": "int",
    "incomparable": "int",
    "case": "str",
    "tie_cases": "str",
}
CROSSOVER_COLUMNS = {
    **{name: kind for name, kind in CASE.items() if name not in ("size", "block_size")},
    "timing": "str",
    "crossover": "str",
    "not_faster_size": "int",
    "faster_from_size": "int",
    "faster_sizes": "str",
    "compared_sizes": "int",
    "largest_size": "int",
    "startup_s": "float",
    "baseline_startup_s": "float",
    "calls_to_repay": "int",
    "source_lines": "int",
}
SCALING_COLUMNS = {
    **CASE,
    "parameters": "str",
    "compute_s": "float",
    "fewest_threads": "int",
    "scaling": "float",
    "scaling_ci_low": "float",
    "scaling_ci_high": "float",
    "verdict": "str",
    "efficiency": "float",
    "case": "str",
}
REGRET_COLUMNS = {
    **{name: kind for name, kind in CASE.items() if name != "block_size"},
    "parameters": "str",
    "default_block_size": "str",
    "default_outcome": "str",
    "default_s": "float",
    "best_block_size": "str",
    "best_s": "float",
    "regret": "float",
    "regret_ci_low": "float",
    "regret_ci_high": "float",
    "verdict": "str",
    "candidates": "int",
    "held_out": "bool",
    "tie": "str",
    "case": "str",
}


@dataclass(frozen=True)
class Best:
    """A case at the best of its parameters, and the choice that it came from."""

    case: Case
    choice: Choice
    kind: str

    @property
    def times(self):
        """The times to report, {sitting: median}."""
        return self.choice.times[self.case]

    @property
    def seconds(self):
        return geometric_mean(self.times.values())

    def speedup(self, within):
        baseline = self.case.baseline
        if baseline is None:
            return Comparison()
        if baseline is self.case:
            return Comparison(1.0, 1.0, 1.0)
        return self.case.believed(compare(baseline.times(self.kind), self.times, within))


def best(cases, within):
    """Rows of best.csv: the best threads and parameters of each implementation and device, per problem."""
    rows = []
    for found in _bests(cases, "compute", within, _implementation):
        choice = found.choice
        rows.append(
            {
                **describe(found.case),
                "parameters": format_parameters(found.case.record),
                "compute_s": found.seconds,
                **comparison("speedup", found.speedup(within)),
                "candidates": len(choice.times),
                "held_out": choice.held_out,
                "tie": " ".join(parameter_id(case) for case in choice.tie if not case.implausible) or None,
                "implausible": found.case.implausible,
                "case": found.case.id,
            }
        )
    return rows


def winners(cases, within):
    """Rows of winners.csv: for each problem the winner or the tie, with every implementation at its best."""
    problems = _group(_ways(cases), lambda case: case.problem)
    pinned = _measured_pinned(cases)
    rows = []
    for kind in (*TIMINGS, PINNED):
        candidates = _group(_bests(cases, kind, within, _implementation), lambda found: found.case.problem)
        rows += [
            _winner(group[0], kind, candidates.get(problem, ()), within)
            for problem, group in problems.items()
            if kind != PINNED or problem in pinned
        ]
    return sorted(rows, key=lambda row: [row[name] for name in ("kernel", "options", "dtype", "size")])


def crossover(cases, startup, within):
    """Rows of crossover.csv. `startup(case)` is what an implementation costs before its first result, in seconds."""
    pinned = _measured_pinned(cases)
    rows = []
    for kind in (*TIMINGS, PINNED):
        timed = [case for case in cases if kind != PINNED or case.problem in pinned]
        bests = [found for found in _bests(timed, kind, within, _threads) if found.case.has_rival_baseline]
        rows += [_crossover(line, kind, startup, within) for line in _group(bests, _line).values()]
    return sorted(rows, key=lambda row: [row[name] or 0 for name in _LINE])


def scaling(cases, within):
    """Rows of scaling.csv: what implementations measured at several thread counts gain by each of them."""
    rows = []
    counted = [case for case in cases if case.record.threads is not None]
    bests = _bests(counted, "compute", within, _threads)
    for counts in _group(bests, lambda found: _implementation(found.case)).values():
        fewest = counts[0]
        for found in counts if len(counts) > 1 else ():
            baseline = found.case.baseline
            gain = Comparison(1.0, 1.0, 1.0)
            if found is not fewest:
                gain = between(fewest.times, found.times, baseline and baseline.times("compute"), within)
                gain = fewest.case.believed(found.case.believed(gain))
            threads = fewest.case.record.threads
            rows.append(
                {
                    **describe(found.case),
                    "parameters": format_parameters(found.case.record),
                    "compute_s": found.seconds,
                    "fewest_threads": threads,
                    **comparison("scaling", gain),
                    "efficiency": gain.ratio and gain.ratio * threads / found.case.record.threads,
                    "case": found.case.id,
                }
            )
    return rows


def regret(cases, within):
    """Rows of regret.csv: what a block of 256 or 16x16 costs against the best block size of the same implementation.

    One row for each implementation, device, number of threads and other parameters of a problem that was measured with
    several block sizes. `regret` is the default's time divided by the best's, both from rounds the best was not chosen
    by; null where the default is among those that could not run, or was not in the sweep.
    """
    blocks = [case for case in _ways(cases) if "block_size" in case.record.parameters]
    planned = _group(blocks, _but_block)
    rows = []
    for found in _bests(blocks, "compute", within, _but_block):
        group = planned[_but_block(found.case)]
        if len(group) > 1:
            rows.append(_regret(found, next(filter(has_default_block, group), None), within))
    return rows


_LINE = ("kernel", "options", "dtype", "implementation", "device", "threads")


def _line(found):
    """What a curve over sizes is drawn for."""
    return tuple(describe(found.case)[name] for name in _LINE)


def _implementation(case):
    return case.problem, case.record.implementation, case.record.device


def _threads(case):
    return *_implementation(case), case.record.threads


def _but_block(case):
    """All that says which case it is but the block size."""
    return *_threads(case), format_parameters(case.record)


def _measured_pinned(cases):
    """The problems some case of which was timed with transfers from and to page-locked memory."""
    return {case.problem for case in _ways(cases) if case.ok and PINNED in case.record.timings}


def _ways(cases):
    return [case for case in cases if not is_limit(case.record.kernel)]


def _group(items, key):
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def _bests(cases, kind, within, key):
    """The Best of each group of cases that has one, in the order of the tables; what is implausible is the best only
    of a group that has nothing else."""
    for everything in _group((case for case in _ways(cases) if case.times(kind)), key).values():
        group = [case for case in everything if not case.implausible] or everything
        baseline = group[0].baseline
        samples = {case: case.samples(kind) for case in group}
        choice = choose(samples, baseline and baseline.times(kind), within, _elsewhere(group))
        yield Best(choice.best, choice, kind)


def _winner(problem, kind, candidates, within):
    by_case = {found.case: found for found in candidates if not found.case.implausible}
    baseline = problem.baseline.times(kind) if problem.baseline else None
    result = find_winner({case: best.times for case, best in by_case.items()}, baseline, within, _elsewhere(by_case))
    fastest = by_case.get(result.fastest)
    where = describe(fastest.case) if fastest else dict.fromkeys(CASE)
    return {
        **describe_problem(problem),
        "timing": kind,
        "decision": result.decision,
        "winner": where["implementation"] if result.decision == "winner" else None,
        "tie": _names(result.tie) or None,
        "unsettled": _names(result.unsettled) or None,
        "fastest": where["implementation"],
        **{name: where[name] for name in ("device", "block_size", "threads")},
        "seconds": fastest and fastest.seconds,
        **comparison("speedup", fastest.speedup(within) if fastest else Comparison()),
        "candidates": len(by_case),
        "incomparable": len(result.incomparable),
        "case": fastest and fastest.case.id,
        "tie_cases": " ".join(case.id for case in result.tie) or None,
    }


def _elsewhere(cases):
    return {case for case in cases if case.elsewhere}


def _names(cases):
    return " ".join(dict.fromkeys(case.record.implementation for case in cases))


def _crossover(line, kind, startup, within):
    speedups = {found.case.record.size: found.speedup(within) for found in line}
    result = overtaking({size: speedup.verdict for size, speedup in speedups.items()})
    largest = max(line, key=lambda found: found.case.record.size)
    own, numpy = startup(largest.case), startup(largest.case.baseline)
    row = describe(largest.case)
    return {
        **{name: row[name] for name in CROSSOVER_COLUMNS if name in row},
        "timing": kind,
        **result._asdict(),
        "faster_sizes": " ".join(map(str, result.faster_sizes)) or None,
        "compared_sizes": sum(speedup.verdict is not None for speedup in speedups.values()),
        "largest_size": largest.case.record.size,
        "startup_s": own,
        "baseline_startup_s": numpy,
        "calls_to_repay": _calls_to_repay(own, numpy, largest.seconds, speedups[largest.case.record.size]),
        "source_lines": largest.case.record.source_lines,
    }


def _regret(found, default, within):
    times = found.choice.times
    own = times.get(default)
    loss = Comparison(1.0, 1.0, 1.0)
    if default is not found.case:
        loss = found.case.believed(compare(own, found.times, within)) if own else Comparison()
    return {
        **{name: value for name, value in describe(found.case).items() if name in REGRET_COLUMNS},
        "parameters": format_parameters(found.case.record),
        "default_block_size": default and describe(default)["block_size"],
        "default_outcome": default and default.record.outcome,
        "default_s": geometric_mean(own.values()) if own else None,
        "best_block_size": describe(found.case)["block_size"],
        "best_s": found.seconds,
        **comparison("regret", loss),
        "candidates": len(times),
        "held_out": found.choice.held_out,
        "tie": " ".join(describe(case)["block_size"] for case in found.choice.tie) or None,
        "case": found.case.id,
    }


def _calls_to_repay(startup, baseline_startup, seconds, speedup):
    """Calls after which start-up and calls together took less time than the baseline's; None if never, or unsure."""
    if speedup.verdict != FASTER or startup is None or baseline_startup is None:
        return None
    return max(0, math.ceil((startup - baseline_startup) / (seconds * (speedup.ratio - 1))))
