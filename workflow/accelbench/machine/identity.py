"""Whose results these are: a results folder remembers the processor it began with, and takes no results of another."""

import platform
from pathlib import Path

from accelbench.errors import InputError
from accelbench.machine import processor
from accelbench.model.machine import Identity, Machine
from accelbench.store import formats

AGAIN = "Move the folder of that machine's results away, and measure again"


def check(folder):
    """Remember this computer in the results folder `folder`, or see that it is like the one that is remembered there.

    InputError where that one had another CPU model or number of cores. GPUs and OpenCL devices are no part of it, since
    each case names its own.
    """
    folder, cpu = Path(folder), processor.describe()
    here = Identity(identity=processor.identity(), model=cpu.model, cores=cpu.cores, hostname=platform.node())
    if (folder / "identity.json").is_file():
        first = formats.read(Identity, folder / "identity.json", AGAIN)
    elif (folder / "machine.json").is_file():  # results that were packed or published
        first = formats.read(Machine, folder / "machine.json", AGAIN).owner
    else:
        remember(folder, here)
        return
    if first.identity != here.identity:
        raise InputError(
            folder,
            f"holds results of {first}, but this is {here}",
            "Narrow this machine down to nodes of one type (`machines`: constraint, slurm_partition, requirements), "
            "or measure under another name",
        )


def remember(folder, identity):
    """Have the results folder `folder` take results of no other computer."""
    formats.write(Path(folder) / "identity.json", identity)
