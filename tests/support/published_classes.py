"""Published results with the algorithms, math modes and targets that their sources have today, and pages of them.

The results are older than these fields, so that their own pages have no base ranking.
"""

import atexit
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from examples import EXAMPLES

from accelbench import config, project, report
from accelbench.analysis import Analysis
from accelbench.kernels import catalog
from accelbench.store.load import load_results


@cache
def with_classes(machine):
    """Return the Analysis of a published machine."""
    results, build = load_results(EXAMPLES / machine), config.Build()
    places = {name: project.ROOT / "kernels" / name for name in results.kernels}
    known = {name: catalog.load(place) for name, place in places.items() if place.exists()}

    def classed(record):
        folder = known.get(record.kernel)
        implementation = folder and folder.implementations.get(record.implementation)
        if not implementation or record.outcome != "ok":
            return record
        found = {"math": implementation.math(build), "target": implementation.target(build)}
        return record.model_copy(update={"algorithm": implementation.algorithm, **found})

    kernels = {
        name: metadata.model_copy(update={"algorithms": dict(known[name].spec.algorithms)})
        if name in known
        else metadata
        for name, metadata in results.kernels.items()
    }
    return Analysis(replace(results, records=list(map(classed, results.records)), kernels=kernels))


@cache
def render(machine):
    """Return the folder with the pages of with_classes(machine)."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    report.write(with_classes(machine), EXAMPLES / machine, folder / machine, config=config.Config(), formats=["svg"])
    return folder / machine
