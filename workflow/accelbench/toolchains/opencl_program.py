"""Toolchain "opencl": build a program binary from each .cl for each device.

A separate process builds each binary, since a driver may abort the process that calls the driver. The separate process
runs this module as a program: `SOURCE DEVICE-INDEX BINARY OPTION...`.

With PoCL, loading a binary takes 5 ms. Building a program from its source takes 0.8 s.
"""

import json
import sys
from pathlib import Path

from accelbench.toolchains import contract, opencl_drivers

TOOLCHAIN = "opencl"
SUFFIXES = (".cl", ".h")
PER_DEVICE = True


def flags(implementation, config):
    return (*config.opencl_flags, *implementation.flags)


def version(implementation, config, device):
    """Return the names and versions of the device and its driver; "" if `device` is None."""
    if device is None:
        return ""
    return ", ".join([device.name, *(f"{key} {value}" for key, value in sorted(device.versions.items()))])


def step(task, folder):
    """Return the BuildStep. Its options contain no paths of folders, because drivers split options at spaces."""
    artifact = task.source.rsplit(".", 1)[0] + ".bin"
    arguments = [
        *(sys.executable, "-P", "-W", "ignore", "-m", __name__),
        *(task.source, json.dumps(task.device.index), str(folder / artifact)),
        *flags(task.implementation, task.config),
    ]
    environment = {
        **opencl_drivers.alone(task.device.index.get("driver")),
        "PYOPENCL_NO_CACHE": "1",
        "POCL_CACHE_DIR": str(folder / "work"),
        "TMPDIR": str(folder / "work"),
    }
    return contract.BuildStep(arguments, artifact, environment=environment)


def main(source, index, output, *options):
    """Build `source` for one device and write its binary. Print the log. Exit with status 1 if the build fails."""
    import pyopencl

    try:
        device = opencl_drivers.find(**json.loads(index))
    except LookupError as error:
        sys.exit(str(error))
    program = pyopencl.Program(pyopencl.Context([device]), Path(source).read_text(encoding="utf-8"))
    try:
        program.build(options=["-I.", *options])
    except pyopencl.Error as error:
        sys.exit(_log(program, device) or str(error))
    print(_log(program, device))
    Path(output).write_bytes(program.get_info(pyopencl.program_info.BINARIES)[0])


def _log(program, device):
    import pyopencl

    return program.get_build_info(device, pyopencl.program_build_info.LOG).strip()


if __name__ == "__main__":
    main(*sys.argv[1:])
