"""Where the workflow's own files lie, and the configuration as rules and commands see it.

Everything is found from this file's place, never from the current directory, so that `snakemake -s`, `-d`, `module`
and the command line agree wherever they are started.
"""

from pathlib import Path

import numpy as np

from accelbench import config as configuration
from accelbench.errors import InputError
from accelbench.kernels import catalog

ROOT = Path(__file__).resolve().parents[2]
SNAKEFILE = ROOT / "Snakefile"
DEFAULT_CONFIG = ROOT / "config" / "config.yaml"
LIMITS = ROOT / "workflow" / "limits"


def locate(config):
    """`config` with absolute kernel folders: relative ones lie in the workflow's place; the limits' own come last."""
    paths = [str(ROOT / Path(path).expanduser()) for path in config.kernels_path]
    if config.limits and LIMITS.is_dir():
        paths.append(str(LIMITS))
    return config.model_copy(update={"kernels_path": tuple(dict.fromkeys(paths))})


def plan(config, where, broken=None):
    """{name: KernelFolder} of everything to measure, kernels first, then the limits where they are asked for.

    How fast memory is written takes its time only where a kernel does nothing else.
    broken  as config.check takes it: gets {name: InputError} of kernels that cannot be used

    InputError names `where` and the key for whatever in `config` matches nothing.
    """
    chosen = configuration.check(locate(config.model_copy(update={"limits": False})), where, broken)
    if config.limits and LIMITS.is_dir():
        writing = any(map(_only_writes, chosen.values()))
        for name, path in catalog.find([LIMITS]).items():
            if name in chosen:
                raise InputError(
                    chosen[name].path, f"the name {name!r} belongs to a machine limit", "Rename the kernel"
                )
            limit = catalog.load(path)
            if writing or not _only_writes(limit):
                chosen[name] = limit
    return chosen


def _only_writes(folder):
    """Whether a kernel writes and reads nothing."""
    spec = folder.spec
    read, written, _ = folder.cost(max(spec.sizes["default"]), np.dtype(spec.dtypes[0]).itemsize, spec.options)
    return written > 0 == read


def check_places(directory, machines):
    """InputError where something else lies in `directory` in place of a folder of results or reports."""
    for top in ("results", "reports"):
        for path in (Path(directory, top), *(Path(directory, top, machine) for machine in machines)):
            if path.exists() and not path.is_dir():
                raise InputError(path, "is a file where a folder is needed", "Move it away")


def settle(config, folder):
    """The configuration as it applies to one kernel: the machine's limits are found with every implementation there is,
    whichever the configuration chooses to compare, and for one thread, too, which is what many of these are held to."""
    if folder.path.parent != LIMITS:
        return config
    everything = {"implementations": ("*",), "backends": None, "sizes": None, "kernels": None}
    return config.model_copy(update=everything | {"threads": tuple(dict.fromkeys((1, *config.threads)))})


def find_kernel(config, name):
    """The KernelFolder called `name`, a limit's included; InputError where there is none, or where what `config` says
    of it does not fit it."""
    folders = catalog.find(locate(config).kernels_path)
    if name not in folders:
        raise InputError(name, "no such kernel", f"Kernels here: {', '.join(folders) or 'none'}")
    folder = catalog.load(folders[name])
    configuration.check_sweep(config, folder)
    return folder
