"""Published sweeps replayed with racing: the share of samples that racing would take, and the answers that change.

The answers of a race are compared with the answers of the whole sweep. This comparison needs a sweep without racing,
such as cpu-today. Other published sweeps, such as cpu, were measured with racing.
"""

import re
from collections import Counter
from dataclasses import replace
from statistics import fmean

from planting import Row, at_most, percent
from sweeps import part_of, runs_apart

from accelbench import project
from accelbench.analysis import Analysis, choices, frames
from accelbench.analysis.gathering import beside_baselines, own_scatter, pools
from accelbench.analysis.priors import Moments
from accelbench.analysis.racing import departures, judging
from accelbench.model.record import case_id
from accelbench.model.watched import is_peak
from accelbench.store.load import load_results

EXAMPLES = project.ROOT / "reports" / "examples"
LEAST, MOST = 2, 5  # Minimum and maximum number of repetitions under racing
SAMPLING = 0.8  # Maximum share of sampling time that racing needs
CHANGED = {"fastest": 0.0, "winner": 0.05, "crossover": 0.01, "verdict": 0.01}  # Maximum shares of changed answers


def number_of(repetition):
    """Return the number of a repetition, which is a part of its name."""
    return int(re.search(r"-r(\d+)g", repetition)[1])


def numbered(results):
    """Return {repetition: number} of the first MOST repetitions of a run, with numbers from 1."""
    every = {name for r in results.records for name in r.repetitions}
    first = min(map(number_of, every))
    return {name: n for name in every if (n := number_of(name) - first + 1) <= MOST}


def only(results, kept):
    """Return Results with only the repetitions kept(record) of each record. Drop timed records that lose all."""
    records = []
    for record in results.records:
        names = kept(record)
        own = [n for n, name in enumerate(record.repetitions) if name in names]
        if record.outcome != "ok":
            records.append(record)
        elif own:
            records.append(part_of(record, own))
    return replace(results, records=records)


def race(results, numbers):
    """Return Results with the repetitions that racing would have measured. Cases that left the race are marked."""

    def first(count):
        return only(results, lambda record: {name for name in record.repetitions if numbers.get(name, MOST) <= count})

    early, found = first(2), {}
    moments = Moments.of(pools(beside_baselines(early, early.records)))
    scatter = judging(own_scatter(early, [moments], {}))
    for after in range(1, MOST):
        known = first(after)
        cases = [case for case in beside_baselines(known, known.records, scatter) if case.id not in found]
        found |= {case.id: left for case, left in departures(cases, after=after, least=LEAST).items()}

    def kept(record):
        last = found[case_id(record)].after if case_id(record) in found else MOST
        return {name for name in record.repetitions if numbers.get(name, MOST + 1) <= last}

    raced = only(results, kept)
    records = [r.model_copy(update={"left": found.get(case_id(r))}) if r.outcome == "ok" else r for r in raced.records]
    return replace(raced, records=records)


def sampled_s(results):
    """Return the seconds of all samples."""
    timings = [timing for record in results.records for timing in record.timings.values() if not timing.shared]
    return sum(sum(own) * loops for t in timings for own, loops in zip(t.samples_s, t.loops, strict=True))


def workers(results):
    """Return the number of workers that were started."""
    timed = [(r, name) for r in results.records for name in r.repetitions]
    return len({(r.kernel, r.implementation, r.device, r.threads, name) for r, name in timed})


def answers(results):
    """Return {question: {subject: answer}}. Verdicts are of `compute`, the other answers of every kind of time."""
    analysis, found = Analysis(results), {"winner": {}, "fastest": {}, "crossover": {}, "verdict": {}}
    for row in frames.rows(analysis, "winners"):
        problem = row.timing, row.kernel, row.options, row.dtype, row.size
        if row.decision in ("winner", "tie"):
            found["fastest"][problem] = row.fastest
            found["winner"][problem] = frozenset((row.tie or row.fastest).split())
    for row in frames.rows(analysis, "crossover"):
        way = row.timing, row.kernel, row.options, row.dtype, row.implementation, row.device, row.threads
        found["crossover"][way] = row.crossover, row.not_faster_size, row.faster_from_size
    for best in analysis.bests("compute", choices.by_implementation):
        if verdict := best.speedup.verdict:
            found["verdict"][choices.by_implementation(best.case)] = verdict
    return found


def changes(raced, whole):
    """Yield (question, number of answers that differ, number of all answers)."""
    for question, known in whole.items():
        found, ties = raced[question], whole["winner"]
        if question == "fastest":
            differ = sum(found.get(problem) not in ties[problem] for problem in known)
        else:
            differ = sum(found.get(about) != answer for about, answer in known.items())
        yield question, differ, len(known)


def without_peaks(results):
    """Return the Results without kernels that measure the machine's peaks."""
    kernels = {name: metadata for name, metadata in results.kernels.items() if not is_peak(name)}
    return replace(results, kernels=kernels, records=[r for r in results.records if not is_peak(r.kernel)])


def sweeps(folder):
    """Return the complete sweeps in a folder of results."""
    results = load_results(folder)
    return [without_peaks(sweep) for sweep in runs_apart(results) or [results]]


def rows(_, options):
    """Return the rows of each published sweep, or of each sweep in the given folders."""
    table, total, sampling = [], Counter(), []
    for folder in options.folders or sorted(path.parent for path in EXAMPLES.glob("*/machine.json")):
        for number, results in enumerate(sweeps(folder), 1):
            numbers = numbered(results)
            whole = only(results, lambda record, numbers=numbers: set(record.repetitions) & numbers.keys())
            raced, name = race(whole, numbers), f"{folder.name}, sweep {number}"
            share = sampled_s(raced) / sampled_s(whole)
            sampling.append(share)
            starts = workers(raced) / workers(whole)
            print(f"{name}: sampling {percent(share)}, workers {percent(starts)}", flush=True)
            table.append(Row(f"{name}: share of sampling time; of worker starts", f"{share:.0%}; {starts:.0%}"))
            for question, differ, of_all in changes(answers(raced), answers(whole)):
                total += {question: differ, f"all {question}": of_all}
    for question, most in CHANGED.items():
        differ, of_all = total[question], total[f"all {question}"]
        what = f"racing in {len(sampling)} published sweeps: {question} changed, of {of_all}"
        table.append(Row(what, str(differ), f"<= {percent(most)}", differ <= most * of_all))
    return [*table, at_most("racing: share of sampling time, mean of sweeps", fmean(sampling), SAMPLING)]
