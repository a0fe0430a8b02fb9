"""Export of results in the formats of other tools.

Each module in the folder formats/ defines a format with the module's name, and is found without being registered. The
docstring of the module describes the format and names the source of the format's specification. The module contains

    document(results)   converts model.results.Results to text, to bytes, or to a dictionary to write as JSON
    holds(record)       returns whether the format can represent a record
    BINARY = True       if `document` returns bytes
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
    """Write the results of a machine in the format `form` to the file `output`, or to standard output.

    Return (number of exported cases, number of all cases). Raise InputError if the results cannot be read, or if a
    binary format has no `output`. Also raise InputError if the format is unknown or can represent none of the cases.

    results_dir  results/<machine>/
    form         name of the format, one of FORMATS
    output       path of the file; None: standard output
    """
    from accelbench.store import files
    from accelbench.store.load import load_results

    if form not in FORMATS:
        raise InputError("--format", f"{form!r} is not a known format", f"Known: {', '.join(FORMATS)}")
    module = importlib.import_module(f"{formats.__name__}.{FORMATS[form]}")
    if getattr(module, "BINARY", False) and output is None:
        raise InputError(
            "--output", f"is missing, but {form} is a binary format", f"Name a file: --output timings.{form}"
        )
    results = load_results(results_dir)
    count = sum(map(module.holds, results.records))
    if not count:
        raise InputError(
            results_dir, f"has no case that the format {form} can store", "Use the format csv, which stores every case"
        )
    document = module.document(results)
    if isinstance(document, dict):
        document = json.dumps(document, indent=1, allow_nan=False) + "\n"
    if output is None:
        sys.stdout.write(document)
    else:
        files.write(Path(output), document)
    return count, len(results.records)
