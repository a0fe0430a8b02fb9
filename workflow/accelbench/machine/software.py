"""Installed software: Python distributions, compilers and drivers, found without importing or loading them."""

import fnmatch
import os
import re
import shutil
import sys
from pathlib import Path

from accelbench import backends
from accelbench.environments import describe_python
from accelbench.machine import cgroup, processor
from accelbench.processes.supervision import ask
from accelbench.store import files
from accelbench.toolchains import compiler, opencl_drivers

# Patterns of distributions that affect whether and how fast implementations run, even if no backend names them
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
    """Return {name: version} of every installed Python distribution, sorted, with names normalised as in PEP 503.

    The versions come from the names of *.dist-info and *.egg-info folders. Reading these names is some 100 times faster
    than reading metadata files.
    """
    return dict(sorted(describe_python.packages().items()))


def compilers(cc, cxx):
    """Return {"cc": version line, "cxx": ..., "nvcc": ...}. The value of a missing compiler is None."""
    nvcc = [line for line in _version_lines("nvcc") if "release" in line]  # the first line has no version
    lines = {"cc": _version_lines(cc), "cxx": _version_lines(cxx), "nvcc": nvcc}
    return {name: line[0] if line else None for name, line in lines.items()}


def fingerprint(compilers=("gcc", "g++", "nvcc"), pythons=()):
    """Return a digest of everything that affects what this machine can run, and how fast.

    The digest covers this Python, the processor, the CPUs that this process may use, and the files of `compilers`. The
    digest covers distributions that affect backends, the backends' modules, drivers and GPUs. The digest also covers
    the `pythons` of environments with their distributions. This function takes only milliseconds, since it imports no
    library and starts no process.
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
    """Return (state of a Python's file, names of its *.dist-info folders); None if the file is missing."""
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
    """Return the version and libraries of the NVIDIA driver, and the names of GPU devices in /dev."""
    version = cgroup.text(Path("/proc/driver/nvidia/version"))
    known = re.findall(r"/[\x21-\x7e]*/libcuda\.so[.0-9]*", cgroup.text(Path("/etc/ld.so.cache")))
    folders = [*os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep), *LIBRARY_FOLDERS]
    candidates = {*known, *(f"{folder}/libcuda.so.1" for folder in folders if folder)}
    # libcuda.so.1 is a link to a file whose name contains the version.
    libraries = sorted({os.path.realpath(path) for path in candidates if os.path.exists(path)})
    gpus = sorted(name for name in os.listdir("/dev") if re.fullmatch(r"nvidia\d+|dxg|kfd", name))
    return [version, libraries, gpus]


def _opencl_drivers():
    """Return the OpenCL drivers with their library files, and the values of the drivers' environment variables."""
    drivers = {
        name: [library, os.path.realpath(library) if os.path.isabs(library) else None]
        for name, (_, library) in opencl_drivers.installed().items()
    }
    variables = (opencl_drivers.VARIABLE, "OCL_ICD_FILENAMES", opencl_drivers.TARGET)
    return drivers, [os.environ.get(name) for name in variables]


def _file_state(path):
    """Return the real path, size and modification time of a file; None if it is missing."""
    if path is None:
        return None
    status = os.stat(path)
    return [os.path.realpath(path), status.st_size, status.st_mtime_ns]


def _version_lines(command):
    """Return the lines that a command prints with --version; [] if the command is missing or fails."""
    status, words = ask([command, "--version"], compiler.VERSION_S)
    return words.splitlines() if status == 0 else []
