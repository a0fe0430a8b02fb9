"""What sweeps found best, for implementations that are TUNED_BY them: results/<machine>/tuned/<kernel>.json.

It is a cache: measuring a kernel writes into it what its own sweeps say, and reads what others said of sizes that it
has no sweep of. What a case was tuned with stands in its record.
"""

import math
from pathlib import Path

from accelbench.model.tuned import Tuned, TunedChoice
from accelbench.store import formats


def place(results, kernel):
    """The file of a kernel in results/<machine>/."""
    return Path(results) / "tuned" / f"{kernel}.json"


def update(results, kernel, records):
    """Write what `records`, those of whole sweeps, say into a kernel's file, in the place of what it said of the same
    problems; return all TunedChoices. The fastest is the one with the least median of `compute`."""
    best = {choice.key: choice for choice in read(results, kernel)}
    for record in sorted((r for r in records if r.outcome == "ok"), key=lambda r: -r.timings["compute"].median_s):
        choice = TunedChoice(**{name: getattr(record, name) for name in TunedChoice.model_fields})
        best[choice.key] = choice
    choices = [best[key] for key in sorted(best)]
    if choices:
        formats.write(place(results, kernel), Tuned(kernel=kernel, choices=choices))
    return choices


def read(results, kernel):
    """The TunedChoices for a kernel; none where there is no file. InputError where it is damaged."""
    path = place(results, kernel)
    if not path.exists():
        return []
    return formats.read(Tuned, path, "Delete it: it is made again when the kernel is measured").choices


def nearest(choices, implementation, device, *, problem):
    """The parameters with which an implementation is best on `device` at the size nearest to the problem's, by ratio,
    among those of its dtype and options; None where there are none."""
    key = implementation, device, problem.dtype, problem.options
    same = [c for c in choices if (c.implementation, c.device, c.dtype, c.options) == key]
    if not same:
        return None
    return min(same, key=lambda choice: abs(math.log(max(choice.size, 1) / max(problem.size, 1)))).parameters
