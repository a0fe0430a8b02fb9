"""Results in the interchange formats of the field, for the tools that read them.

pyperf            pyperf's JSON: `python -m pyperf compare_to`, `hist`, `stats`
google_benchmark  Google Benchmark's JSON: its tools/compare.py, and many continuous-integration services
bmf               Bencher Metric Format, for continuous benchmarking
t4                the auto-tuning community's T4, with the invalid configurations and why they are
tables            the table of all cases, as CSV or Parquet
samples           what the first three share: the samples of a case by process

What has no time cannot stand in the first three; it does in the others.
"""

import json
import sys
from pathlib import Path

from accelbench.errors import InputError
from accelbench.export import bmf, google_benchmark, pyperf, t4, tables
from accelbench.export.samples import timed
from accelbench.store import files
from accelbench.store.load import load_results

JSON_FORMATS = {
    "pyperf": pyperf.document,
    "google-benchmark": google_benchmark.document,
    "bmf": bmf.document,
    "t4": t4.document,
}
FORMATS = {name: lambda results, make=make: _json(make(results)) for name, make in JSON_FORMATS.items()} | {
    "csv": tables.csv,
    "parquet": tables.parquet,
}
BINARY = ("parquet",)


def export(results_dir, form, output=None):
    """Write results/<machine>/ in one of FORMATS to the file `output`, or to standard output.

    Returns how many of the cases are in it, and how many there are. InputError for an unknown format, for results that
    cannot be read or hold nothing the format can say, and for a binary format without a file.
    """
    if form not in FORMATS:
        raise InputError("--format", f"{form!r} is no format", f"One of {', '.join(FORMATS)}")
    if form in BINARY and output is None:
        raise InputError("--output", f"not given, but {form} is no text", f"Name a file: --output timings.{form}")
    results = load_results(results_dir)
    count = sum(map({"t4": t4.tried, "csv": bool, "parquet": bool}.get(form, timed), results.records))
    if not count:
        raise InputError(results_dir, f"holds no case that {form} can hold", "Export it as csv: that holds every case")
    written = FORMATS[form](results)
    if output is None:
        sys.stdout.write(written)
    else:
        files.write(Path(output), written)
    return count, len(results.records)


def _json(document):
    return json.dumps(document, indent=1, allow_nan=False) + "\n"
