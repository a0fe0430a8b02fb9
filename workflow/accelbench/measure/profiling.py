"""Profiles of a kernel's implementations in Python, NumPy and Cython, which show where time is spent.

Cython code reports its calls to a profiler only if it was compiled with the directive `profile=True`. So Cython files
are built once more, in a copy of the kernel's folder, with this directive in an added first line. On Python 3.12,
Cython code cannot report its calls.
"""

import contextlib
import dataclasses
import shutil
import tempfile
from pathlib import Path

from accelbench import toolchains
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure import plan
from accelbench.measure.bench import Bench, read_machine
from accelbench.model.metadata import SourceFile
from accelbench.model.profile import Profile, Profiled
from accelbench.rpc.process import Failed
from accelbench.store import formats

# Backends with useful profiles. A profile of any other backend has a single line.
BACKENDS = ("python", "numpy", "cython")
DIRECTIVE = "# cython: profile=True\n"
DEADLINE_S = 1200.0


def profile(config, machine_name, results, *, names=(), size=None):
    """Profile implementations of a kernel. Return the Profiles, and write each Profile to a file in `results`.

    results  the machine's results folder, with machine.json. The files are profile/<kernel>/<implementation>.json
    names    names of the implementations; if empty, all whose backend is in BACKENDS, in accelbench's own Python
    size     size of the problem; if None, the smallest default size

    Raise InputError if an implementation cannot be profiled or fails.
    """
    results, folder = Path(results), config.kernel
    machine = read_machine(results, folder)
    known = {name: i for name, i in folder.implementations.items() if i.backend in BACKENDS and not i.environment}
    for name in set(names) - known.keys():
        raise InputError(
            name,
            f"is not an implementation of {folder.name} in Python, NumPy or Cython",
            f"Choose from: {', '.join(known)}",
        )
    size = min(folder.spec.sizes["default"]) if size is None else size
    problem = plan.Problem(folder.name, dict(folder.spec.options), size, folder.spec.dtypes[0])
    with tempfile.TemporaryDirectory(dir=results, prefix=".profile-") as home:
        home = Path(home).resolve()
        copy, build = _copy(folder, home / "kernels" / folder.name, names or known), home / "build" / folder.name
        if toolchains.needed(copy):
            formats.write(build / "cython.json", toolchains.build(copy, "cython", build, config=config.build))
        bench = Bench(dataclasses.replace(config, kernel=copy), machine, machine_name, results=home)
        with contextlib.closing(bench.verifier):
            profiles = [_profiled(bench, known[name], problem) for name in names or known]
    for entry in profiles:
        formats.write(results / "profile" / folder.name / f"{entry.implementation}.json", entry)
    return profiles


def _copy(folder, target, names):
    """Copy a KernelFolder to `target`, and add DIRECTIVE to Cython files. Return the copy, with only `names`."""
    shutil.copytree(folder.path, target, ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
    for file in target.glob("*.pyx"):
        file.write_text(DIRECTIVE + file.read_text(encoding="utf-8"), encoding="utf-8")
    copy = catalog.load(target)
    return dataclasses.replace(copy, implementations={name: copy.implementations[name] for name in names})


def _profiled(bench, implementation, problem):
    name, backend, file = implementation.name, implementation.backend, implementation.path
    parameters = {parameter: values[0] for parameter, values in implementation.parameters.items()}
    case, place = plan.PlannedCase(problem, name, backend, "cpu", 1, parameters), f"{problem.kernel}/{name}"
    try:
        with (
            contextlib.closing(bench.given(problem)) as given,
            contextlib.closing(bench.start(case, DEADLINE_S)) as runner,
        ):
            runner.begin(case, given)
            wall_s, plain_s, rows = runner.ask("profile_call", case, kernel=case.kernel)
    except Failed as failed:
        smaller = "Choose a smaller size: --size" if failed.outcome == "out_of_memory" else None
        raise InputError(place, str(failed), smaller or f"See: python -m accelbench check {place}") from None
    rows = [Profiled(**dict(zip(Profiled.model_fields, row, strict=True))) for row in rows]
    # In Cython files, subtract the line that DIRECTIVE added at the beginning.
    rows = [row.model_copy(update={"line": row.line - row.file.endswith(".pyx")}) for row in rows]
    source = SourceFile(name=file.name, text=file.read_text(encoding="utf-8"))
    identity = {"kernel": problem.kernel, "implementation": name, "backend": backend, "size": problem.size}
    return Profile(**identity, wall_s=wall_s, plain_s=plain_s, rows=rows, files=[source])
