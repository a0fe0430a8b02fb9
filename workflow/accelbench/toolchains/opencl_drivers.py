"""OpenCL drivers: list the installed drivers, load only one of them, and test whether CPU drivers build programs.

PyOpenCL's loader loads every driver into a process that lists the platforms. accelbench loads each driver in a separate
process, so that a driver that crashes while it is loaded does not affect the others.
"""

import json
import os
import platform as computer
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from accelbench.processes.supervision import ask, clean_environment, signal_name

# Trivial program, which every working driver can build
TRIAL = "kernel void trial(global int *x) { x[get_global_id(0)] = 1; }"
SYSTEM = Path("/etc/OpenCL/vendors/pocl.icd")  # File that Debian's package of PoCL installs
INTEL = "etc/OpenCL/vendors/intel-cpu.icd"  # File of Intel's driver, relative to sys.prefix
TRIAL_S = 25  # Deadline for listing a driver's devices, and for a test build, in seconds. A search may take 60 s

VARIABLE = "OCL_ICD_VENDORS"  # Environment variable that names a folder of .icd files, one .icd file, or a library
# Environment variable that sets the target processor of Intel's driver. By default, the driver detects the processor
TARGET = "CL_CONFIG_CPU_TARGET_ARCH"


def installed():
    """Return {name: (value for VARIABLE, library)} of every driver, in the order of PyOpenCL's loader.

    Names are paths. Paths in wheels and in this Python's folder are relative to the folder of installation. If several
    drivers have the same library, return only the first driver.
    """
    place = os.environ.get(VARIABLE) or os.environ.get("OPENCL_VENDOR_PATH") or "/etc/OpenCL/vendors"
    if not Path(place).is_dir() and os.environ.get(VARIABLE):
        return {place: (place, _library(place))}
    drivers = [(str(file), file) for file in sorted(Path(place).glob("*.icd"))]
    for root, folder in ((sys.prefix, "etc/OpenCL/vendors"), *((entry, "pyopencl/.libs") for entry in sys.path)):
        drivers += [(f"{folder}/{file.name}", file) for file in sorted(Path(root, folder).glob("*.icd"))]
    libraries = {}
    for name, file in drivers:
        libraries.setdefault(_library(file), (name, str(file)))
    return {name: (file, library) for library, (name, file) in libraries.items()}


def _library(path):
    """Return the library that an .icd file names. Any other file is a library itself: return its path."""
    try:
        return Path(path).read_text(encoding="utf-8").strip() if str(path).endswith(".icd") else str(path)
    except (OSError, UnicodeDecodeError):
        return ""


def alone(name):
    """Return environment variables that make a process load only the driver `name`; {} if there is no such driver."""
    path, _ = installed().get(name, (None, None))
    return {} if path is None else {VARIABLE: path}


def platform_name(platform):
    """Return a platform's name and version, since several platforms may have the same name."""
    return f"{platform.name.strip()}, {platform.version.strip()}"


def find(*, platform, device, driver=None):
    """Return the pyopencl device with the values of a Device's `index`. Raise LookupError if there is none."""
    import pyopencl as cl

    try:
        platforms = {platform_name(there): there for there in cl.get_platforms()}
        return platforms[platform].get_devices()[device]
    except (cl.Error, LookupError):
        raise LookupError(
            f"there is no device {device} on the OpenCL platform {platform}, although machine.json lists it. "
            f"{variable_to_unset() or 'Delete machine.json'} and run again"
        ) from None


def tried_out(device):
    """Return the device, marked as `unusable` if it is a CPU for which a test program cannot be built.

    PoCL cannot build any program for a CPU that is newer than PoCL's compiler.
    """
    if device.unusable or device.kind != "cpu":
        return device
    with tempfile.TemporaryDirectory(prefix="accelbench-opencl-") as folder:
        Path(folder, "trial.cl").write_text(TRIAL, encoding="utf-8")
        index, builder = json.dumps(device.index), "accelbench.toolchains.opencl_program"
        reason = failure(device.index.get("driver"), folder, builder, "trial.cl", index, "trial.bin")
    return device if reason is None else replace(device, unusable=f"its driver cannot build a program ({reason})")


def failure(driver, folder, module, *arguments):
    """Run a module in `folder` as a process that loads only `driver`. Return why the process failed, or None."""
    variables = {"POCL_CACHE_DIR": folder, "PYOPENCL_NO_CACHE": "1", "TMPDIR": folder} | alone(driver)
    command = [sys.executable, "-P", "-W", "ignore", "-m", module, *arguments]
    status, words = ask(command, TRIAL_S, cwd=folder, env=clean_environment() | variables)
    if status == 0:
        return None
    if status is None:
        return f"the process does not end within {TRIAL_S} s"
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    cause = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
    if status > 0:
        return cause or f"exit status {status}"
    return ": ".join(filter(None, [signal_name(-status), cause]))


def variable_to_unset():
    """Return the advice to unset a variable that names drivers; "" if no such variable is set."""
    variables = [name for name in (VARIABLE, "OPENCL_VENDOR_PATH") if os.environ.get(name)]
    return f"unset {variables[0]}, which names {os.environ[variables[0]]}" if variables else ""


def cure():
    """Return advice to make the host's cores available as an OpenCL device; "" if none is known."""
    if advice := variable_to_unset():
        return advice
    if shutil.which("apt-get") and not SYSTEM.exists():
        return "apt install pocl-opencl-icd"
    if computer.machine() == "x86_64" and not Path(sys.prefix, INTEL).exists():
        return "make install LOCK=intel-opencl"
    return ""
