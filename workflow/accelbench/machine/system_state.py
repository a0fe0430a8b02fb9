"""The state of the machine during a measurement: load by other processes, clocks, free memory, GPUs."""

import os
import time

from accelbench import nvidia
from accelbench.machine import cgroup, memory, processor
from accelbench.model.machine import GpuChange, StateChange, SystemState
from accelbench.processes import keeper

_TICK_NAMES = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
# Minimum time of all CPUs together, idle time included, in seconds. With less time, clock ticks are too coarse for
# StateChange.others_share
LEAST_CPU_S = 0.5
AT_BOTH_ENDS = ("sm_clock_mhz", "memory_clock_mhz", "temperature_c", "power_w")
OCCURRENCES = ("throttle_reasons", "compute_processes")


def snapshot():
    """Return the present SystemState. This takes well under 2 ms without a GPU."""
    return SystemState(
        time_s=time.monotonic(),
        load_average=list(os.getloadavg()),
        cpu_s=_cpu_seconds(cgroup.ROOT),
        governor=processor.governor(cgroup.ROOT),
        frequency_mhz=processor.frequency_mhz(cgroup.ROOT),
        memory_free_bytes=memory.free_memory_bytes(cgroup.ROOT),
        gpus=nvidia.snapshot(),
    )


def begin():
    """Return a function that computes the StateChange since `begin` was called."""
    before, own_s = snapshot(), _own_seconds()
    return lambda: difference(before, snapshot(), own_s=max(0.0, _own_seconds() - own_s))


def _own_seconds():
    """Return the CPU time, in seconds, of this process and its descendants, including ended and reaped processes."""
    times, living = os.times(), keeper.descendants(os.getpid(), waited_for=True)
    return times.user + times.system + times.children_user + times.children_system + sum(living.values())


def difference(before, after, *, own_s=None):
    """Return the StateChange between two snapshots.

    own_s  CPU time of this process and its descendants in the interval, in seconds; None if unknown
    """
    spent = {name: seconds - before.cpu_s[name] for name, seconds in after.cpu_s.items()}
    idle, waiting, steal = (spent.get(name, 0.0) for name in ("idle", "iowait", "steal"))
    total = sum(spent.values())
    runnable = total - idle - waiting
    is_known = own_s is not None and total >= LEAST_CPU_S
    return StateChange(
        seconds=after.time_s - before.time_s,
        steal_share=max(0.0, steal) / runnable if runnable > 0 else None,
        busy_share=(runnable - steal) / total if total > 0 else None,
        others_share=max(0.0, runnable - steal - own_s) / total if is_known else None,
        load_average=[before.load_average[0], after.load_average[0]],
        governor=after.governor,
        frequency_mhz=[before.frequency_mhz, after.frequency_mhz],
        memory_free_bytes=min(before.memory_free_bytes, after.memory_free_bytes),
        gpus=_gpu_changes(before.gpus, after.gpus),
    )


def _gpu_changes(before, after):
    earlier = {gpu.uuid: gpu for gpu in before}
    pairs = [(earlier[gpu.uuid], gpu) for gpu in after if gpu.uuid in earlier]
    return [
        GpuChange(
            uuid=gpu.uuid,
            **{name: [getattr(first, name), getattr(gpu, name)] for name in AT_BOTH_ENDS},
            **{name: sorted({*(getattr(first, name) or ()), *(getattr(gpu, name) or ())}) for name in OCCURRENCES},
        )
        for first, gpu in pairs
    ]


def _cpu_seconds(root):
    with (root / "proc/stat").open("rb") as stream:
        ticks = map(int, stream.readline().split()[1:])
    # Ignore the guest time in a later column, since user time includes it.
    return {name: count / os.sysconf("SC_CLK_TCK") for name, count in zip(_TICK_NAMES, ticks, strict=False)}
