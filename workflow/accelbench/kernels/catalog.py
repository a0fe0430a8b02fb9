"""Finds kernel folders and reads them: each kernel.py is imported, and none of its functions is called."""

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from accelbench import discovery
from accelbench.errors import InputError
from accelbench.kernel import FUNCTIONS, OPTIONAL_FUNCTIONS, Kernel
from accelbench.kernels import specification
from accelbench.kernels.folder import CALL, KernelFolder
from accelbench.kernels.implementation import read_or_refuse, with_algorithms, with_sweeps_checked
from accelbench.kernels.reading import listed, read_text
from accelbench.model.names import NAME


def find(paths: Iterable[str | Path]) -> dict[str, Path]:
    """{name: path} of every kernel folder under the folders `paths`, sorted by name. Reads no file."""
    kernels = {}
    for path in map(Path, paths):
        for folder in _subfolders(path):
            if not NAME.match(folder.name):
                raise InputError(folder, "not a kernel name", "Use lower-case letters, digits and underscores")
            if folder.name in kernels:
                raise InputError(folder, f"the kernel is also in {kernels[folder.name]}", "Rename one of the two")
            kernels[folder.name] = folder
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
    """The kernel at `path`, of whose functions none is called; InputError where its kernel.py or an implementation
    cannot be used. What its functions do when they are called is for verify.trial to find out."""
    return _load(Path(path).resolve())


@cache
def load_specification(path: str | Path) -> KernelFolder:
    """The KernelFolder at `path` without its implementations, for a worker, whose coordinator has checked all of it."""
    path = Path(path)
    return KernelFolder(path.name, path, *_read_specification(path), {})


def _read_specification(path):
    """(KERNEL, {name: function}) of a kernel folder."""
    spec_file = path / "kernel.py"
    if not spec_file.is_file():
        remedy = f"Write one: python -m accelbench new {path.name}; or move the folder away, or correct kernels_path"
        raise InputError(path, "no kernel.py in this kernel folder", remedy)
    read_text(spec_file)
    module = _import(spec_file)
    spec = getattr(module, "KERNEL", None)
    if not isinstance(spec, Kernel):
        remedy = "Add it; accelbench/kernel.py says what it holds"
        raise InputError(spec_file, "KERNEL = Kernel(...) is missing", remedy)
    for name in FUNCTIONS:
        if not callable(getattr(module, name, None)):
            raise InputError(spec_file, f"the function {name} is missing", "Add it; accelbench/kernel.py explains it")
    return spec, {n: getattr(module, n) for n in (*FUNCTIONS, *OPTIONAL_FUNCTIONS) if hasattr(module, n)}


@cache
def _load(path):
    spec_file = path / "kernel.py"
    spec, functions = _read_specification(path)
    implementations = {}
    for file in listed(path):
        is_code = file.suffix in (".py", ".pyx") and file.name != "kernel.py" and not file.is_dir()
        if not is_code or file.name.startswith(("_", "test_")):
            continue
        for implementation in read_or_refuse(file):
            other = implementations.setdefault(implementation.name, implementation)
            if other is not implementation:
                raise InputError(file, f"{other.name!r} is in {other.path.name} too", "Rename one of the two")
    specification.check_values(spec_file, spec)
    implementations = with_algorithms(with_sweeps_checked(implementations), spec.algorithms)
    specification.check_declaration(spec_file, spec, functions, implementations=implementations)
    return KernelFolder(path.name, path, spec, functions, implementations)


def _import(file):
    sys.audit(CALL, "importing it")
    try:
        return discovery.import_file(file)
    except SyntaxError as error:
        raise InputError(
            f"{error.filename or file}:{error.lineno}" if error.lineno else file,
            f"syntax error: {error.msg}",
            "Correct the file",
        ) from None
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{file}{discovery.line(file, error)}",
            f"importing it failed: {type(error).__name__}: {error}",
            "Correct the file",
        ) from error
