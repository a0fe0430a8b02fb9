"""The best parameters that sweeps of PARAMETERS found, in results/<machine>/tuned/<kernel>.json.

Implementations with TUNED_BY use these parameters. The file is a cache. The coordinator writes the results of a
kernel's sweeps to the file, and reads the results of earlier sweeps at other sizes. If a case uses such parameters, its
record contains them, too.
"""

import math
from pathlib import Path

from accelbench.model.tuned import Tuned, TunedChoice
from accelbench.store import formats


def place(results, kernel):
    """Return the path of a kernel's file in results/<machine>/."""
    return Path(results) / "tuned" / f"{kernel}.json"


def update(results, kernel, records):
    """Write the best parameters of sweeps into a kernel's file. Return all TunedChoices in this file.

    The best parameters have the smallest median `compute` time. They replace the earlier choice for the same
    implementation, device and problem.

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
    """Return the TunedChoices in a kernel's file, or [] if it is missing. Raise InputError if it is damaged."""
    path = place(results, kernel)
    if not path.exists():
        return []
    return formats.read(Tuned, path, "Delete it: it is made again when the kernel is measured").choices


def nearest(choices, implementation, device, *, problem):
    """Return the best known parameters of an implementation on `device` for a problem, or None if none are known.

    Only choices with the problem's dtype and options are considered. Among them, the choice with the nearest size is
    taken. The distance of two sizes is the absolute logarithm of their ratio.
    """
    key = implementation, device, problem.dtype, problem.options
    same = [c for c in choices if (c.implementation, c.device, c.dtype, c.options) == key]
    if not same:
        return None
    return min(same, key=lambda choice: abs(math.log(max(choice.size, 1) / max(problem.size, 1)))).parameters
