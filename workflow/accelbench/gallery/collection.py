"""Results folders of several machines, read to be laid beside each other."""

import os
from pathlib import Path

from accelbench.analysis import Analysis
from accelbench.config import MachineRequest
from accelbench.errors import InputError
from accelbench.gallery.beside import LaidMachine
from accelbench.store.load import load_results

PAGE = "index.html"


def lay(folders, costs, target):
    """The LaidMachines of results folders, with links as the page `target` has them.

    costs  {machine: MachineRequest}, which may name others, too
    """
    if not folders:
        raise InputError("machines", "there are no results", "Measure first: python -m accelbench run; or name folders")
    homes, found = {}, []
    for folder in folders:
        analysis = Analysis(load_results(folder))
        name = analysis.machine.name
        if (other := homes.setdefault(name, folder)) != folder:
            raise InputError(folder, f"is of {name}, as {other} is", "Publish one of the two under another name")
        found.append(LaidMachine(analysis, costs.get(name, MachineRequest()), _link(Path(folder), Path(target))))
    return found


def _link(folder, target):
    """The relative link from the page to a machine's own, published in its folder or in the reports; None where there
    is none."""
    for own in (folder / PAGE, target.parent / folder.name / PAGE):
        if own.is_file():
            return Path(os.path.relpath(own, target.parent)).as_posix()
    return None
