"""Where the time goes before anything is optimised: profiles of a kernel's implementations that Python takes part in.

Each is run by a worker with the environment that measuring gives it. Cython's code tells a profiler of its calls only
if it was translated for it, so those files are built again, in a copy of the kernel's folder, with the directive
`profile=True` in a first line of its own; their times include what telling costs. (Python 3.12 has no way for Cython
to tell: there, compiled functions are seen where Python calls them.)
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
from accelbench.measure.client import Failed
from accelbench.model.metadata import SourceFile
from accelbench.model.profile import Profile, Profiled
from accelbench.store import files, formats

BACKENDS = ("python", "numpy", "cython")  # what runs elsewhere is one line of a profile
DIRECTIVE = "# cython: profile=True\n"
DEADLINE_S = 1200.0
SMALLER = "Choose a smaller one: --size"


def profile(config, machine_name, results, *, names=(), size=None):
    """Profile implementations of an EffectiveConfig's kernel; writes <implementation>.json, .txt and .html to
    results/profile/<kernel>/.

    results  the machine's results folder, with machine.json
    names    of implementations; all of BACKENDS where none is named
    size     the problem's; where None, the smallest of the kernel's default sizes

    InputError where an implementation cannot be profiled or fails.
    """
    results = Path(results)
    folder, kernel = config.kernel, config.kernel.name
    machine = read_machine(results, folder)
    names = list(names) or [
        name for name, i in folder.implementations.items() if i.backend in BACKENDS and not i.environment
    ]
    for name in names:
        if name not in folder.implementations:
            known = ", ".join(folder.implementations)
            raise InputError(name, f"no such implementation of {kernel}", f"It has: {known}")
        if folder.implementations[name].backend not in BACKENDS:
            raise InputError(name, "is not run by Python", f"Name one of the backends {', '.join(BACKENDS)}")
    size = min(folder.spec.sizes["default"]) if size is None else size
    problem = plan.Problem(kernel, dict(folder.spec.options), size, folder.spec.dtypes[0])
    with tempfile.TemporaryDirectory(dir=results, prefix=".profile-") as home:
        home = Path(home).resolve()
        _check_memory(Bench(config, machine, machine_name, results=home), names, problem)
        copy = _copy(folder, home / "kernels" / kernel, names)
        if any(copy.implementations[name].toolchain for name in names):
            manifest = toolchains.build(copy, "cython", home / "build" / kernel, config=config.build)
            formats.write(home / "build" / kernel / "cython.json", manifest)
        bench = Bench(dataclasses.replace(config, kernel=copy), machine, machine_name, results=home)
        with contextlib.closing(bench.verifier):
            for name in names:
                found = _profiled(bench, name, problem)
                _write(results / "profile" / kernel, folder.implementations[name], problem, found=found)


def gather_annotations(results):
    """Copy every page `cython -a` wrote in a machine's builds to results/annotations/, as
    <kernel>-<implementation>.html; the paths. Pages of builds that are no more are removed."""
    results = Path(results)
    target = results / "annotations"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    found = []
    for path in sorted((results / "build").glob("*/cython.json")):
        for artifact in toolchains.load(path).artifacts:
            if artifact.page:
                found.append(target / f"{path.parent.name}-{artifact.implementation}.html")
                shutil.copyfile(path.parent / artifact.page, found[-1])
    return found


def _copy(folder, target, names):
    """A KernelFolder like `folder` with those of its Cython files alone that `names` need; they tell profilers of their
    calls."""
    shutil.copytree(folder.path, target, ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
    wanted = {folder.implementations[name].path.name for name in names}
    for file in target.glob("*.pyx"):
        if file.name in wanted:
            file.write_text(DIRECTIVE + file.read_text(encoding="utf-8"), encoding="utf-8")
        else:
            file.unlink()
    return catalog.load(target)


def _case(implementation, problem):
    parameters = {parameter: values[0] for parameter, values in implementation.parameters.items()}
    return plan.PlannedCase(problem, implementation.name, implementation.backend, "cpu", 1, parameters)


def _check_memory(bench, names, problem):
    """InputError where an implementation's arrays would not fit into memory."""
    for name in names:
        verdict = bench.footprint.too_large(_case(bench.folder.implementations[name], problem))
        if verdict:
            raise InputError(f"{problem.kernel}/{name}", f"at size {problem.size}, {verdict[1]}", SMALLER)


def _profiled(bench, name, problem):
    """The protocol.CallProfile of an implementation."""
    implementation = bench.folder.implementations[name]
    case = _case(implementation, problem)
    reason = bench.build_failure(implementation, "cpu")
    if reason:
        raise InputError(f"{problem.kernel}/{name}", f"was not built: {reason}", "Correct the file")
    try:
        given = bench.given(problem)
    except Failed as failed:
        raise InputError(f"{problem.kernel}/{name}", failed.reason, SMALLER) from None
    try:
        with contextlib.closing(given), contextlib.closing(bench.start(case, DEADLINE_S)) as runner:
            runner.load(problem, given)
            runner.prepare(case)
            runner.first_call(case, given)
            return runner.profile(case, DIRECTIVE.count("\n"))
    except Failed as failed:
        again = f"See: python -m accelbench check {problem.kernel}/{name}"
        raise InputError(f"{problem.kernel}/{name}", str(failed), again) from None


def _write(target, implementation, problem, *, found):
    profile = Profile(
        kernel=problem.kernel,
        implementation=implementation.name,
        backend=implementation.backend,
        title=implementation.title,
        dtype=problem.dtype,
        size=problem.size,
        wall_s=found.wall_s,
        plain_s=found.plain_s,
        rows=[Profiled(**vars(row)) for row in found.rows],
        files=[SourceFile(name=implementation.path.name, text=implementation.path.read_text(encoding="utf-8"))],
        **problem.options,
    )
    files.write(target / f"{implementation.name}.txt", found.text)
    files.write(target / f"{implementation.name}.html", found.flame)
    formats.write(target / f"{implementation.name}.json", profile)
