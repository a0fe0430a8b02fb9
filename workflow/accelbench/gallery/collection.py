"""A collection of machines: a published folder each, with its grade, and the page of all."""

import os
from pathlib import Path

from accelbench.analysis import Analysis
from accelbench.archive import publishing
from accelbench.config import MachineRequest, check_machine_name
from accelbench.errors import InputError
from accelbench.gallery import page, rules
from accelbench.gallery.beside import LaidMachine
from accelbench.gallery.rules import Grade
from accelbench.store import formats
from accelbench.store.load import load_results, machine_folders, read_machine

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
        link = _link(Path(folder), Path(target))
        found.append(LaidMachine(analysis, costs.get(name, MachineRequest()), link, recorded(folder)))
    return found


def _link(folder, target):
    """The relative link from the page to a machine's own, published in its folder or in the reports; None where there
    is none."""
    for own in (folder / PAGE, target.parent / folder.name / PAGE):
        if own.is_file():
            return Path(os.path.relpath(own, target.parent)).as_posix()
    return None


def recorded(folder) -> Grade | None:
    """The Grade that a folder of a collection holds; None where it has none."""
    path = Path(folder) / rules.FILE
    return (
        formats.read(Grade, path, f"Make it again: python -m accelbench gallery {path.parents[1]}")
        if path.exists()
        else None
    )


def submit(results_dir, name, gallery) -> Grade:
    """Publish results/<machine>/ as gallery/<name>/, graded, and make the collection's page again; nothing is written
    where the rules refuse it. The Grade. InputError where gallery/<name>/ is of another machine."""
    try:
        check_machine_name(name)
    except ValueError as error:
        raise InputError("submit", error, "Name the machine as others will call it: submit epyc-9654") from None
    results, folder = load_results(results_dir), Path(gallery) / name
    _check_content(gallery)
    _check_same(folder, results.machine.owner)
    grade = rules.grade(Analysis(results))
    if not grade.is_refused:
        publishing.publish(results_dir, name, folder)
        formats.write(folder / rules.FILE, grade)
        write_page(gallery)
    return grade


def _check_content(gallery):
    """InputError where a collection has a folder that is no machine's: nobody would miss its results."""
    found = sorted(path for path in Path(gallery).glob("[!.]*") if path.is_dir())
    if empty := [str(folder) for folder in found if not (folder / "machine.json").exists()]:
        problem = "holds no machine.json, so it is no machine's results"
        raise InputError(", ".join(empty), problem, "Submit the machine anew, or remove the folder")


def _check_same(folder, owner):
    """InputError where the folder of a machine holds results of a machine that cannot be of the `owner`'s kind."""
    if (folder / "machine.json").exists() and not (there := read_machine(folder).owner).may_be(owner):
        remedy = "Submit under another name, or remove the folder first"
        raise InputError(folder, f"holds results of {there}, and these are of {owner}", remedy)


def render(gallery) -> dict[str, Grade]:
    """Grade every folder of a collection anew and make all its pages again: {machine: its Grade}."""
    grades = {}
    for folder in folders(gallery):
        grades[folder.name] = rules.grade(Analysis(load_results(folder)))
        publishing.render(folder)
        formats.write(folder / rules.FILE, grades[folder.name])
    write_page(gallery)
    return grades


def write_page(gallery):
    """Write the page of all machines of a collection."""
    target = Path(gallery) / PAGE
    return page.write(lay(folders(gallery), {}, target), target)


def folders(gallery):
    """The folders of a collection; InputError where there is none, or one that is no machine's."""
    _check_content(gallery)
    found = machine_folders(gallery)
    if not found:
        problem = "holds no machine" if Path(gallery).is_dir() else "there is no such collection yet"
        remedy = "What was measured here begins it: python -m accelbench submit NAME, as the machine is to be called"
        raise InputError(gallery, problem, remedy)
    return found


def verify(folder) -> tuple[Grade, list[str]]:
    """The Grade of a folder for a collection, and what keeps it from standing there besides: a grade.json of others."""
    grade, before = rules.grade(Analysis(load_results(folder))), recorded(folder)
    differs = before is not None and before != grade
    return grade, [f"{rules.FILE} says {before.grade}, its results say {grade.grade}"] if differs else []
