"""Whose results these are: a results folder remembers the kind of computer it began with, and takes no results of
another. Which computer of the kind it was is the business of instance.py."""

import platform
import sys
from pathlib import Path

from accelbench.errors import InputError
from accelbench.machine import processor
from accelbench.model.machine import Identity, Machine
from accelbench.store import formats

AGAIN = "Move the folder of that machine's results away, and measure again"


def check(folder):
    """Remember this computer in the results folder `folder`, or see that it is like the one that is remembered there.

    InputError where that one had another processor or number of cores. GPUs and OpenCL devices are no part of it, since
    each case names its own. A folder of before families and models were told apart is this computer's from now on where
    nothing in it says otherwise, with a notice.
    """
    folder = Path(folder)
    here = processor.describe().identified(processor.identity(), platform.node())
    first = _first(folder)
    if first is None:
        remember(folder, here)
    elif not first.may_be(here):
        raise InputError(
            folder,
            f"holds results of {first}, but this is {here}",
            "Narrow this machine down to nodes of one type (`machines`: constraint, slurm_partition, requirements), "
            "or measure under another name",
        )
    elif first.number is None:
        remember(folder, here)
        told = f"{folder}: its results name their processor, {first.model}, not its family and model"
        print(f"note: {told}; they are taken to be of this machine's kind", file=sys.stderr)


def _first(folder):
    """The Identity that a folder remembers, of older ones with what machine.json knows besides; None without any."""
    remembered = described = None
    if (folder / "identity.json").is_file():
        remembered = formats.read(Identity, folder / "identity.json", AGAIN)
    if (remembered is None or remembered.number is None) and (folder / "machine.json").is_file():
        described = formats.read(Machine, folder / "machine.json", AGAIN).owner  # all there is of published results
    if described and (remembered is None or remembered.identity == described.identity):
        return described
    return remembered


def remember(folder, identity):
    """Have the results folder `folder` take results of no other computer."""
    formats.write(Path(folder) / "identity.json", identity)
