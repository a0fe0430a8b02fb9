"""The machine's memory: its size, its free part, and the number of processes that the out-of-memory killer killed."""

from accelbench.machine import cgroup


def memory_bytes(root=cgroup.ROOT):
    """Return the bytes that this process may use: the machine's memory, or a control group's limit if that is lower."""
    return _least(_meminfo("MemTotal", root), _limit, root)


def free_memory_bytes(root=cgroup.ROOT):
    """Return the bytes that can be used now without swapping or exceeding the limit of a container or batch job.

    Cached pages of files count as free if Linux can reclaim them (inactive_file).
    """
    return _least(_meminfo("MemAvailable", root), _free, root)


def oom_kills(root=cgroup.ROOT):
    """Return how many processes Linux has killed because memory ran out; None if no count is available.

    The count comes from the innermost control group of this process that has a count, else from the whole machine.
    """
    names = ("memory.events", "memory.oom_control")
    counters = [folder / name for folder in cgroup.folders("memory", root) for name in names]
    counts = (_counts(path).get("oom_kill") for path in (*counters, root / "proc/vmstat"))
    return next((int(count) for count in counts if count is not None), None)


def _least(machine, read, root):
    """Return the smallest number of bytes: `machine`, or read(folder) of one of this process's control groups."""
    return min([machine, *(size for size in map(read, cgroup.folders("memory", root)) if size is not None)])


def _meminfo(name, root):
    """Return the bytes of an entry in /proc/meminfo."""
    return int(_counts(root / "proc/meminfo")[f"{name}:"]) * 1024


def _limit(folder):
    limit = cgroup.text(folder / "memory.max") or cgroup.text(folder / "memory.limit_in_bytes")
    # cgroup v1 writes "no limit" as the largest multiple of the page size below 2**63.
    return int(limit) if limit.isdigit() and int(limit) < 2**62 else None


def _free(folder):
    limit = _limit(folder)
    usage = cgroup.text(folder / "memory.current") or cgroup.text(folder / "memory.usage_in_bytes")
    if limit is None or not usage.isdigit():
        return None
    statistics = _counts(folder / "memory.stat")
    reclaimable = int(statistics.get("total_inactive_file", statistics.get("inactive_file", 0)))
    return max(0, limit - max(0, int(usage) - reclaimable))


def _counts(path):
    """Return {name: number as text} from a file with a name and a number in each line."""
    return dict(line.split()[:2] for line in cgroup.text(path).splitlines())
