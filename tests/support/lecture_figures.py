"""Invented entries, results and views of lectures' figures."""

import shutil

import pytest

from accelbench.errors import InputError
from accelbench.lectures import entries, measured, views
from accelbench.model.record import Order, Record, Startup, Timing
from accelbench.store import files

PART = {"kernel": "vector_sum", "implementations": ["cffi_api"], "sizes": [1000], "dtypes": ["float64"]}
ROWS = [
    {"label": "NumPy", "implementation": "numpy_sum", "recorded_s": 0.002},
    {"label": "C", "implementation": "cffi_api", "recorded_s": 0.001},
]
CLAIM = {"says": "C is faster", "faster": "C", "than": "NumPy"}


def entry(**keys):
    plain = {"id": "own-sum", "lecture": "own", "slide": "Sums", "title": "Sums <in> C", "kind": "table"}
    given = plain | {"measure": [PART], "rows": ROWS, "over": "NumPy"} | keys
    (found,) = entries.parse({"figures": [given]}, "mine.yaml").values()
    return found


def refused(data):
    with pytest.raises(InputError) as caught:
        entries.parse(data, "mine.yaml")
    return str(caught.value)


def record(implementation, seconds, size=1000, repetitions=3, outcome="ok", **keys):
    """Return an invented Record. A call takes `seconds`, with small differences between repetitions."""
    told = {"machine": "synthetic", "kernel": "vector_sum", "dtype": "float64", "device": "cpu", "threads": 1}
    told |= {"implementation": implementation, "backend": implementation.split("_")[0], "size": size}
    if outcome != "ok":
        return Record(**told | keys, outcome=outcome)
    times = [[seconds * 1.001 ** (number - (repetitions - 1) / 2)] * 5 for number in range(repetitions)]
    timing = Timing(
        samples_s=times, rounds=[[*range(5)]] * repetitions, loops=[1] * repetitions, median_s=seconds,
        ci_low_s=seconds * 0.99, ci_high_s=seconds * 1.01, converged=True,
    )  # fmt: skip
    return Record(
        **told | keys, outcome=outcome, timings={"compute": timing}, startup=Startup(first_call_s=10 * seconds),
        repetitions=[f"s{number}" for number in range(repetitions)], order=Order(seed=1, processes=repetitions),
    )  # fmt: skip


def put(home, own, records, **told):
    """Write the records of a figure with a single part, as a measurement would."""
    folder = home / "lectures" / own.id
    part = folder / "1-vector_sum"
    shutil.copytree(home / "kernels", part / "kernels")
    files.write(part / "timings" / "vector_sum.jsonl", "".join(r.model_dump_json() + "\n" for r in records))
    parts = [{"kernel": "vector_sum", "folder": part.name, "missing": []}] if records else []
    files.write_json(folder / "measured.json", {"schema_version": 2, "figure": own.id, "parts": parts, **told})


def shown(home, own):
    return views.make(own, measured.read(home, own))
