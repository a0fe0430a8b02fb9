"""`run --settle`: more repetitions of what matters and is not decided, until it is or the time is up."""

import math
import time

from accelbench.errors import InputError
from accelbench.store import settling

MINUTES = 10.0


def minutes_of(text):
    """The number of minutes that was written, None where none was; InputError where it is none."""
    try:
        minutes = None if text is None else float(text)
    except ValueError:
        minutes = math.nan
    if minutes is not None and not 0 < minutes < math.inf:
        raise InputError("--settle", f"{text!r} is no number of minutes", "Write a number > 0, or none for 10")
    return minutes


def settle(folders, kernels, measure, *, minutes):
    """Have `measure()` run the workflow again and again, each time with one more repetition of the undetermined cases
    of `kernels` in the results `folders`; its exit status, of the last time.

    Ends when nothing is undetermined that may have more repetitions, after `minutes`, or with a status that is not 0.
    """
    end, status, first, rounds = time.monotonic() + 60 * minutes, 0, None, 0
    while wanted := _undetermined(folders, kernels):
        count = sum(map(len, wanted.values()))
        first = first or count
        if time.monotonic() >= end:
            break
        rounds += 1
        names = ", ".join(sorted({kernel for _, kernel in wanted}))
        print(f"Settling: {count} cases of {names}, repetition {rounds} beyond the configuration's", flush=True)
        for (folder, kernel), cases in wanted.items():
            settling.add(folder, kernel, cases)
        status = measure()
        if status:
            return status
    left = sum(map(len, wanted.values()))
    if first is None:
        print("Settled:  nothing that matters is undecided")
    else:
        print(f"Settled:  {first} cases at first, {left} undecided after {rounds} more repetitions")
    return status


def _undetermined(folders, kernels):
    """{(folder, kernel): ids of cases} that more repetitions are worth measuring of."""
    from accelbench.analysis.analysis import Analysis  # here: help and a run without --settle need no tables
    from accelbench.analysis.undetermined import undetermined
    from accelbench.store import load

    return {
        (folder, kernel): cases
        for folder in folders
        for kernel, cases in undetermined(Analysis(load.load_results(folder))).items()
        if kernel in kernels
    }
