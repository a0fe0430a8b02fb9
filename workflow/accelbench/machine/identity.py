"""Whose results these are: a results folder remembers the processor it began with, and takes no results of another."""

import platform
from pathlib import Path

from accelbench.errors import InputError
from accelbench.machine import processor
from accelbench.store import files

AGAIN = "Move the folder of that machine's results away, and measure again"


def check(folder):
    """Remember this computer in the results folder `folder`, or see that it is like the one that is remembered there.

    InputError where that one had another CPU model or number of cores. GPUs and OpenCL devices are no part of it, since
    each case names its own.
    """
    path = Path(folder) / "identity.json"
    described = processor.describe()
    here = {
        "identity": processor.identity(),
        "model": described["model"],
        "cores": described["cores"],
        "hostname": platform.node(),
    }
    first = here
    if path.is_file():
        first = files.read_json(path)
        if not isinstance(first, dict) or here.keys() - first.keys():
            raise InputError(path, "does not say which computer the results are of", AGAIN)
    elif (path.parent / "machine.json").is_file():  # results that were packed or published
        from accelbench.store import formats  # here: each look for a backend's devices would wait for Pydantic

        first = of(formats.read(formats.Machine, path.parent / "machine.json", AGAIN))
    if first["identity"] != here["identity"]:
        raise InputError(
            Path(folder),
            "holds results of {model}, {cores} cores ({hostname})".format(**first)
            + ", but this is {model}, {cores} cores ({hostname})".format(**here),
            "Narrow this machine down to nodes of one type (`machines`: constraint, slurm_partition, requirements), "
            "or measure under another name",
        )
    if first is here:
        remember(folder, here)


def of(machine):
    """The identity of the computer that a machine description is of."""
    cpu = {key: machine["cpu"][key] for key in ("model", "cores")}
    return {"identity": machine["identity"], **cpu, "hostname": machine["hostname"]}


def remember(folder, identity):
    """Have the results folder `folder` take results of no other computer."""
    files.write_json(Path(folder) / "identity.json", identity)
