"""Published sweeps replayed under racing: what is left to measure, and which answers change.

Every case of a published sweep was measured in all repetitions. So the answers of a race can be held against those of
the whole sweep.
"""

import re
from dataclasses import replace

from sweeps import part_of

from accelbench import project
from accelbench.analysis.gathering import beside_baselines, own_scatter, pools
from accelbench.analysis.priors import Moments
from accelbench.analysis.racing import departures, judging
from accelbench.model.watched import is_peak

EXAMPLES = project.ROOT / "reports" / "examples"
MOST = 5  # Repetitions of a sweep
SAMPLING = 0.75  # Maximum share of the time of samples that is left


def number_of(repetition):
    """Return the number of a repetition by its name."""
    return int(re.search(r"-r(\d+)g", repetition)[1])


def numbered(results):
    """Return {repetition: its number}, from 1 in each run; without repetitions beyond MOST."""
    every = {name for r in results.records for name in r.repetitions}
    first = min(map(number_of, every))
    return {name: n for name in every if (n := number_of(name) - first + 1) <= MOST}


def only(results, kept):
    """Return Results with those repetitions of each record that kept(record) names."""
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
    """Return {case id: the number of its last repetition} of a sweep under racing."""
    kernels = {name: metadata for name, metadata in results.kernels.items() if not is_peak(name)}
    results = replace(results, kernels=kernels, records=[r for r in results.records if not is_peak(r.kernel)])
    early = only(results, lambda record: {name for name in record.repetitions if numbers.get(name, 9) <= 2})
    moments = Moments.of(pools(beside_baselines(early, early.records)))
    scatter = judging(own_scatter(early, [moments], {}))
    cases = beside_baselines(results, results.records, scatter)
    left = departures(cases, numbers, least=2, most=MOST)
    return {case.id: left[case].after if case in left else MOST for case in cases}
