"""The check that all results in a folder come from one kind of computer. instance.py identifies single computers."""

import platform
from pathlib import Path

from accelbench.errors import InputError
from accelbench.machine import processor
from accelbench.model.machine import Identity, Machine
from accelbench.store import formats

AGAIN = "Move this results folder away, and measure again"


def check(folder):
    """Compare this computer's Identity with the Identity in a results folder. If the folder has none, write it.

    Raise InputError if the architecture, the processor or the number of cores differs. GPUs and OpenCL devices are not
    compared, since each case names its device.
    """
    folder = Path(folder)
    here = Identity(
        identity=processor.identity(),
        hostname=platform.node(),
        **processor.describe().model_dump(include={"model", "cores"}),
    )
    first = _read(folder)
    if first is None:
        formats.write(folder / "identity.json", here)
    elif not first.is_like(here):
        raise InputError(
            folder,
            f"contains results of {first}, but this machine is {here}",
            "Limit this machine to nodes of one type (`machines`: constraint, slurm_partition, requirements), "
            "or measure with another machine name",
        )


def _read(folder):
    """Return the Identity in a folder's identity.json, or else in machine.json. Return None if both are missing."""
    if (folder / "identity.json").is_file():
        return formats.read(Identity, folder / "identity.json", AGAIN)
    if (folder / "machine.json").is_file():
        return formats.read(Machine, folder / "machine.json", AGAIN).owner
    return None
