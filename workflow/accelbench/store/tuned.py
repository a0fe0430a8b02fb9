"""The best parameters of sweeps, for implementations that are TUNED_BY them: results/<machine>/tuned/<kernel>.json.

The file is a cache. The coordinator writes the results of a kernel's sweeps to it, and reads those of earlier sweeps at
other sizes. The record of a tuned case also has its parameters.
"""

import math
from pathlib import Path

from accelbench.model.tuned import Tuned, TunedChoice
from accelbench.store import formats


def place(results, kernel):
    """Return the file of a kernel in results/<machine>/."""
    return Path(results) / "tuned" / f"{kernel}.json"


def update(results, kernel, records):
    """Write the best parameters of sweeps into a kernel's file. Return all TunedChoices.

    The best parameters have the smallest median of `compute`. They replace earlier choices for the same problems.

    records  Records of the sweeps
    """
    best = {choice.key: choice for choice in read(results, kernel)}
    for record in sorted((r for r in records if r.outcome == "ok"), key=lambda r: -r.timings["compute"].median_s):
        choice = TunedChoice(**{name: getattr(record, name) for name in TunedChoice.model_fields})
        best[choice.key] = choice
    choices = [best[key] for key in sorted(best)]
    if choices:
        formats.write(place(results, kernel), Tuned(kernel=kernel, choices=choices))
    return choices


def read(results, kernel):
    """Return the TunedChoices for a kernel, [] without a file. Raise InputError if the file is damaged."""
    path = place(results, kernel)
    if not path.exists():
        return []
    return formats.read(Tuned, path, "Delete it: it is made again when the kernel is measured").choices


def nearest(choices, implementation, device, *, problem):
    """Return the best parameters of an implementation on `device` for a problem, or None.

    Of the sizes with a choice for the problem's dtype and options, take the size that differs by the smallest factor.
    """
    key = implementation, device, problem.dtype, problem.options
    same = [c for c in choices if (c.implementation, c.device, c.dtype, c.options) == key]
    if not same:
        return None
    return min(same, key=lambda choice: abs(math.log(max(choice.size, 1) / max(problem.size, 1)))).parameters
