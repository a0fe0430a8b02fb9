"""Identification of this single computer, since computers of the same kind may differ in speed."""

import os
import platform

from accelbench import nvidia
from accelbench.machine import cgroup, processor
from accelbench.model.instance import Instance
from accelbench.store import files

DIGITS = 10  # Length of an instance's name
BOOT = "proc/sys/kernel/random/boot_id"


def describe(root=cgroup.ROOT) -> Instance:
    """Return this computer's Instance."""
    stepping, microcode = processor.revision(root)
    caches, _ = processor.caches(root)
    gpus = _visible([gpu.uuid for gpu in nvidia.describe() if gpu.uuid], os.environ.get("CUDA_VISIBLE_DEVICES"))
    node = _node()
    name = files.digest(processor.identity(root), stepping, microcode, caches, gpus, node)[:DIGITS]
    return Instance(
        name=name,
        stepping=stepping,
        microcode=microcode,
        caches=caches,
        gpus=gpus,
        node=node,
        boot=cgroup.text(root / BOOT) or None,
    )


def _visible(uuids, chosen):
    """Return the UUIDs of the GPUs that CUDA_VISIBLE_DEVICES makes visible. NVML ignores this variable.

    chosen  value of the variable; as in CUDA, the first entry that names no GPU ends the list
    """
    if chosen is None:
        return uuids
    visible, numbered = [], {str(number): [uuid] for number, uuid in enumerate(uuids)}
    for word in map(str.strip, chosen.split(",")):
        named = [uuid for uuid in uuids if word and uuid.startswith(word)]
        if not (matches := [word] if word.startswith("MIG-") else numbered.get(word, named)):
            break
        visible += matches
    return visible


def _node():
    """Return the name of the cluster's node that runs this job; "" outside a job."""
    return os.environ.get("SLURMD_NODENAME") or (platform.node() if "_CONDOR_JOB_AD" in os.environ else "")
