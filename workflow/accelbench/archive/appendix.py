"""The appendix that reviewers of artefacts ask for, of a machine's results alone: what was measured on what, how long
that takes, how it is repeated, what must come out, and how that is checked."""

import math

from accelbench import environments
from accelbench.analysis import Analysis
from accelbench.analysis.tables.winners import WinnerRow
from accelbench.config.repeat import to_repeat
from accelbench.model.watched import is_peak

FILE = "appendix.md"
GB = 1e9


def text(results):
    """The appendix of Results, as Markdown; the files that it names are those of a bundle."""
    machine = results.machine
    parts = [_summary(results), _hardware(machine), _software(machine), _time(results), _repeat(results)]
    return "\n\n".join([*parts, _expected(Analysis(results)), _check(machine)]) + "\n"


def _summary(results):
    kernels = [kernel for kernel in results.kernels if not is_peak(kernel)]
    return (
        f"# Artefact appendix: {results.machine.name}\n\n"
        f"Times of {len(results.records)} cases of {len(kernels)} kernel{'s' if len(kernels) != 1 else ''}, measured "
        "by accelbench, a Snakemake workflow that builds, checks and measures implementations of a computation side by "
        "side. The bundle holds every "
        "sample (`results/`), the configurations (`configuration/`), the sources that were measured (`sources/`), the "
        "locks and versions of what was installed (`environment/`), and the SHA-256 sum of every file."
    )


def _hardware(machine):
    rows = [
        ("Processor", f"{machine.hardware}, {machine.cpu.architecture}"),
        ("Memory", f"{machine.memory_bytes / GB:.0f} GB"),
        *((f"GPU {gpu.index}", gpu.name + _memory(gpu.memory_bytes)) for gpu in machine.gpus),
        ("Virtual machine", "yes" if machine.virtualised else "no"),
    ]
    return f"## Hardware\n\n{_table(('', 'Measured on'), rows)}"


def _memory(size):
    return f", {size / GB:.0f} GB" if size else ""


def _software(machine):
    compilers = {name: version for name, version in machine.compilers.items() if version}
    rows = [
        ("System", f"{machine.os}, Linux {machine.kernel}"),
        ("Python", machine.python),
        *compilers.items(),
        *([("NVIDIA driver", machine.driver)] if machine.driver else []),
        ("Packages", "environment/requirements.txt"),
    ]
    return "## Software\n\n" + _table(("", "Version"), rows)


def _time(results):
    wall = {}
    for kernel, run in results.runs:
        wall[kernel] = wall.get(kernel, 0.0) + run.wall_s
    rows = [(kernel, len(results.kernels[kernel].runs), _minutes(seconds)) for kernel, seconds in sorted(wall.items())]
    rows.append(("all", "", _minutes(math.fsum(wall.values()))))
    return (
        "## Time\n\n"
        + _table(("Kernel", "Runs", "Minutes"), rows)
        + ("\n\nInstalling and building come on top: minutes, and 2 GB of disk, 6 with CUDA's libraries.")
    )


def _repeat(results):
    groups = to_repeat(results.runs, results.machine.name)
    words = [
        "## How it is repeated",
        "With Python 3.11 to 3.14, its headers and venv, gcc, g++ and make, in a checkout of accelbench at the commit "
        "named; `BUNDLE.zip` is the bundle, `BUNDLE` the folder that it was unpacked in.",
    ]
    named = sorted({name for group in groups for name in group.latest.config.environments})
    if named:
        words.append(
            "Some backends have an environment, a Python, to themselves. Each is made in the checkout first; without "
            "it, its backends' cases are unavailable. Where none is named under Lock, these versions were installed by "
            "hand, and its lock may pin others:"
        )
        head = ("Environment", "Backends", "Measured with", "Lock", "How it is made")
        words.append(_table(head, [_environment(name, results.machine.environments.get(name)) for name in named]))
    for number, group in enumerate(groups, 1):
        state = f"commit {group.latest.commit or 'unknown'}{', which had changes' if group.latest.dirty else ''}"
        kernels = ", ".join(sorted(kernel for kernel in group.sweeps if not is_peak(kernel)))
        words.append(f"- {kernels or 'peaks of the machine'}, {state}:")
        words.append(f"      make report CONFIG=BUNDLE/configuration/{number}.yaml")
    return "\n\n".join(words)


def _environment(name, described):
    """The row of an environment, by its EnvironmentDescription, if there is one."""
    if environments.has_lock(name):
        made = f"`make install LOCK={name}`"
    else:
        made = f"by hand; the configuration names its Python: `environments.{name}.python`"
    if described is None or described.python is None:
        return name, "", "it was not there", "", made
    versions = {"Python": described.python, "numpy": described.numpy}
    for backend in described.backends.values():
        versions |= backend.versions
    lock = "none" if described.lock in (None, environments.UNLOCKED) else f"environment/{described.lock}.lock"
    told = ", ".join(f"{package} {version}" for package, version in versions.items() if version)
    return name, ", ".join(described.backends), told, lock, made


def _expected(analysis):
    """The fastest of each kernel at its largest size."""
    largest = {}
    for row in analysis.table(WinnerRow, timing="compute"):
        key = row.kernel, row.options, row.dtype
        if row.speedup and row.size >= largest.get(key, row).size:
            largest[key] = row
    rows = [
        (
            " ".join(filter(None, [row.kernel, row.options])),
            f"{row.size:,}",
            row.dtype,
            ", ".join(row.names),
            row.device,
            f"{row.speedup:.3g} ({_interval(row.speedup_ci_low, row.speedup_ci_high)})",
            _interval(row.speedup_next_low, row.speedup_next_high),
        )
        for row in largest.values()
    ]
    head = ("Kernel", "Size", "Dtype", "Fastest, or those that tie", "Device", "Times NumPy (95 %)", "Next sweep")
    return (
        f"## Expected results\n\n{_table(head, rows)}\n\n"
        "Each kernel at its largest size, on data that are where the device computes; transfers stand apart. The last "
        "column is where 95 of 100 further sweeps of this machine come out. All else: `tables/winners.csv`, "
        f"`tables/timings.csv` and `index.html` in `results/{analysis.machine.name}/`, as far as they were made."
    )


def _check(machine):
    results = f"results/{machine.name}"
    return (
        "## How it is checked\n\n"
        "    .venv/bin/python -m accelbench verify BUNDLE.zip\n"
        f"    .venv/bin/python -m accelbench compare {results} BUNDLE/{results}\n\n"
        "The first says whether every file is as it was made; the second holds a sweep of one's own against this one, "
        "case by case. On the same machine it finds FASTER and SLOWER only what lies outside the intervals; on another "
        "one, compare the order of implementations, not their times. Results were checked against a reference before "
        "and after they were timed: what was wrong has no time."
    )


def _interval(low, high):
    return f"{low:.3g} to {high:.3g}" if low is not None and high is not None else "unknown"


def _minutes(seconds):
    return f"{seconds / 60:.1f}"


def _table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
