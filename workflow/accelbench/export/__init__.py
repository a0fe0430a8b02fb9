"""Results in the formats of other tools.

A format is a module of formats/, found by its name there and registered nowhere else: its docstring says what it is and
where it is described, and it has

    document(results)   what to write, from model.results.Results: a dictionary, which is written as JSON, text or bytes
    holds(record)       whether a record can stand in it
    BINARY = True       where it is bytes

samples is what formats of timings share.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

from accelbench.errors import InputError
from accelbench.export import formats

FORMATS = {entry.name.replace("_", "-"): entry.name for entry in pkgutil.iter_modules(formats.__path__)}


def export(results_dir, form, output=None):
    """Write results/<machine>/ in one of FORMATS to the file `output`, or to standard output.

    Returns how many of the cases are in it, and how many there are. InputError for an unknown format, for results that
    cannot be read or hold nothing the format can say, and for a binary format without a file.
    """
    from accelbench.store import files
    from accelbench.store.load import load_results

    if form not in FORMATS:
        raise InputError("--format", f"{form!r} is no format", f"One of {', '.join(FORMATS)}")
    module = importlib.import_module(f"{formats.__name__}.{FORMATS[form]}")
    if getattr(module, "BINARY", False) and output is None:
        raise InputError("--output", f"not given, but {form} is no text", f"Name a file: --output timings.{form}")
    results = load_results(results_dir)
    count = sum(map(module.holds, results.records))
    if not count:
        raise InputError(results_dir, f"holds no case that {form} can hold", "Export it as csv: that holds every case")
    document = module.document(results)
    if isinstance(document, dict):
        document = json.dumps(document, indent=1, allow_nan=False) + "\n"
    if output is None:
        sys.stdout.write(document)
    else:
        files.write(Path(output), document)
    return count, len(results.records)
