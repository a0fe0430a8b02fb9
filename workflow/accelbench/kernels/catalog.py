"""Find kernel folders and load them as KernelFolders. Each kernel.py is imported, but its functions are not called."""

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.kernel import FUNCTIONS, OPTIONAL_FUNCTIONS, Kernel
from accelbench.kernels import reading, specification
from accelbench.kernels.folder import CALL, KernelFolder
from accelbench.kernels.implementation import NAMING, read_or_refuse, with_checks
from accelbench.model.names import NAME


def find(paths: Iterable[str | Path]) -> dict[str, Path]:
    """Return {name: path} of the kernel folders directly in the folders `paths`, sorted by name. No file is read."""
    kernels = {}
    for path in map(Path, paths):
        for folder in _subfolders(path):
            other = kernels.setdefault(folder.name, folder)
            specification.require(NAME.match(folder.name), folder, "is not a valid name of a kernel", remedy=NAMING)
            specification.require(
                other is folder, folder, f"the kernel is also in {other}", remedy="Rename one of the two"
            )
    return dict(sorted(kernels.items()))


def _subfolders(path):
    try:
        return sorted(p for p in path.iterdir() if p.is_dir() and not p.name.startswith((".", "_")))
    except (OSError, ValueError) as error:
        raise InputError(
            path,
            f"kernels_path names no folder: {getattr(error, 'strerror', None) or error}",
            "Create it, or correct kernels_path",
        ) from None


def load(path: str | Path) -> KernelFolder:
    """Return the KernelFolder at `path`. Raise InputError if its kernel.py cannot be used.

    The functions of kernel.py are not called here; verify.trial calls and checks them.
    """
    return _load(Path(path).resolve())


@cache
def load_specification(path: str | Path) -> KernelFolder:
    """Return the KernelFolder at `path` without implementations, for the verifier. Skip the coordinator's checks."""
    path = Path(path)
    return KernelFolder(path.name, path, *_read_specification(path), {})


def _read_specification(path):
    """Return (KERNEL, {name: function}) of a kernel folder."""
    spec_file = path / "kernel.py"
    if not spec_file.is_file():
        remedy = f"Write one: python -m accelbench new {path.name}; or move the folder away, or correct kernels_path"
        raise InputError(path, "no kernel.py in this kernel folder", remedy)
    reading.read_text(spec_file)
    sys.audit(CALL, "importing it")
    with discovery.refusing(spec_file):
        module = discovery.import_file(spec_file)
    spec = getattr(module, "KERNEL", None)
    is_kernel, remedy = isinstance(spec, Kernel), "Add it; accelbench/kernel.py explains it"
    specification.require(is_kernel, spec_file, "KERNEL = Kernel(...) is missing", remedy=remedy)
    for name in FUNCTIONS:
        is_there = callable(getattr(module, name, None))
        specification.require(is_there, spec_file, f"the function {name} is missing", remedy=remedy)
    return spec, {n: getattr(module, n) for n in (*FUNCTIONS, *OPTIONAL_FUNCTIONS) if hasattr(module, n)}


@cache
def _load(path):
    spec_file = path / "kernel.py"
    spec, functions = _read_specification(path)
    implementations = {}
    for file in reading.listed(path):
        is_code = file.suffix in (".py", ".pyx") and file.name != "kernel.py" and not file.is_dir()
        if not is_code or file.name.startswith(("_", "test_")):
            continue
        for implementation in read_or_refuse(file):
            other = implementations.setdefault(implementation.name, implementation)
            is_alone, problem = other is implementation, f"{other.name!r} is also in {other.path.name}"
            specification.require(is_alone, file, problem, remedy="Rename one of the two")
    specification.check_values(spec_file, spec)
    implementations = with_checks(implementations, spec.algorithms)
    specification.check_declaration(spec_file, spec, functions, implementations=implementations)
    return KernelFolder(path.name, path, spec, functions, implementations)
