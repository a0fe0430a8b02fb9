"""What is installed here: Python distributions, compilers, drivers. Nothing of it is imported or loaded."""

import fnmatch
import os
import re
import shutil
import sys
from pathlib import Path

from accelbench import backends
from accelbench.environments import describe_python
from accelbench.machine import processor
from accelbench.processes.supervision import ask
from accelbench.store import files
from accelbench.toolchains import compiler, opencl_drivers

# What lies beneath or beside the backends' own packages and can change what runs here, or how fast.
BENEATH = (
    "cuda-*",
    "cupy*",
    "icc-rt",
    "intel-*",
    "llvmlite",
    "mkl*",
    "nvidia-*",
    "pocl*",
    "scipy",
    "scikit-image",
    "matplotlib",
    "tbb",
)
LIBRARY_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib")


def distributions():
    """Return {name: version} of every installed Python distribution, sorted, names as PEP 503 writes them.

    Read from the names of the *.dist-info folders, some 100 times faster than opening each one's metadata.
    """
    return dict(sorted(describe_python.packages().items()))


def compilers(cc, cxx):
    """{"cc": version line, "cxx": ..., "nvcc": ...}, None where there is no such compiler."""
    nvcc = [line for line in _version_lines("nvcc") if "release" in line]  # the first line is its name alone
    lines = {"cc": _version_lines(cc), "cxx": _version_lines(cxx), "nvcc": nvcc}
    return {name: line[0] if line else None for name, line in lines.items()}


def fingerprint(compilers=("gcc", "g++", "nvcc"), pythons=()):
    """A digest of whatever changes what this machine can run or how fast: it changes when something is installed,
    upgraded or removed, with the driver, with the GPUs, with the CPUs this process may use, and with the backends'
    modules, which look for devices; and with the `pythons` of environments and what is installed there. Takes some
    milliseconds: nothing is imported, loaded or started.
    """
    return files.digest(
        sys.version,
        processor.identity(),
        processor.available_cpus(),
        _relevant_distributions(),
        *(part for path in sorted(Path(backends.__path__[0]).glob("*.py")) for part in (path.name, path.read_bytes())),
        _nvidia_driver(),
        _opencl_drivers(),
        [_file_state(shutil.which(name)) for name in compilers],
        *([[_environment(Path(python)) for python in pythons]] if pythons else []),
    )


def _environment(python):
    """A Python's file, and the names of what is installed beside it; None where it is not there."""
    if not python.exists():
        return None
    installed = python.parents[1].glob("lib/python3*/*-packages/*.dist-info")
    return _file_state(python), sorted(folder.name for folder in installed)


def _relevant_distributions():
    patterns = {name for backend in backends.modules() for name in backends.packages(backend)}.union(BENEATH)
    return {
        name: version
        for name, version in distributions().items()
        if any(fnmatch.fnmatchcase(name, re.sub(r"[-_.]+", "-", pattern).lower()) for pattern in patterns)
    }


def _nvidia_driver():
    """Version and library of the NVIDIA driver, and the GPUs it has made devices for."""
    version = _bytes("/proc/driver/nvidia/version")
    known = re.findall(rb"/[\x21-\x7e]*/libcuda\.so[.\d]*", _bytes("/etc/ld.so.cache"))
    folders = [*os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep), *LIBRARY_FOLDERS]
    candidates = {os.fsdecode(path) for path in known} | {f"{folder}/libcuda.so.1" for folder in folders if folder}
    # The file behind the link carries the version in its name.
    libraries = sorted({os.path.realpath(path) for path in candidates if os.path.exists(path)})
    gpus = sorted(name for name in os.listdir("/dev") if re.fullmatch(r"nvidia\d+|dxg|kfd", name))
    return [version.decode(errors="replace"), libraries, gpus]


def _opencl_drivers():
    """Every OpenCL driver with the file behind its library, and what it is told by the environment."""
    found = {
        name: [library, os.path.realpath(library) if os.path.isabs(library) else None]
        for name, (_, library) in opencl_drivers.installed().items()
    }
    told = (opencl_drivers.VARIABLE, "OCL_ICD_FILENAMES", opencl_drivers.TARGET)
    return found, [os.environ.get(name) for name in told]


def _file_state(path):
    """Where a file really is, its size and time of change; None where there is none."""
    if path is None:
        return None
    status = os.stat(path)
    return [os.path.realpath(path), status.st_size, status.st_mtime_ns]


def _version_lines(command):
    path = shutil.which(command)
    if path is None:
        return []
    status, words = ask([path, "--version"], compiler.VERSION_S)
    return [] if status is None else words.splitlines()


def _bytes(path):
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
