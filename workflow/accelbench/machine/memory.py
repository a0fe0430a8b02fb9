"""How much memory there is, how much of it is free, and who ran out of it."""

from accelbench.machine import cgroup


def memory_bytes(root=cgroup.ROOT):
    """Memory this process may use in all: the machine's, or an enclosing group's limit where that is lower."""
    return _least(_meminfo("MemTotal", root), _limit, root)


def free_memory_bytes(root=cgroup.ROOT):
    """Bytes that can be taken now without swapping or hitting the limit of a container or batch job.

    A group's pages of files that the kernel gives up when asked (inactive_file) count as free.
    """
    return _least(_meminfo("MemAvailable", root), _free, root)


def oom_kills(root=cgroup.ROOT):
    """How many processes the kernel has killed because memory ran out: in this process's innermost group that counts
    them, else on the whole machine. None where neither says so."""
    names = ("memory.events", "memory.oom_control")
    counters = [folder / name for folder in cgroup.folders("memory", root) for name in names]
    counts = (_counts(path).get("oom_kill") for path in (*counters, root / "proc/vmstat"))
    return next((int(count) for count in counts if count is not None), None)


def _least(machine, read, root):
    """The least of the machine's bytes and of those that `read` says of each enclosing group, where it says any."""
    return min([machine, *(size for size in map(read, cgroup.folders("memory", root)) if size is not None)])


def _meminfo(name, root):
    """Bytes that /proc/meminfo says of a name."""
    return int(_counts(root / "proc/meminfo")[f"{name}:"]) * 1024


def _limit(folder):
    limit = cgroup.text(folder / "memory.max") or cgroup.text(folder / "memory.limit_in_bytes")
    # v1 writes "no limit" as the largest multiple of the page size below 2**63.
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
    """{name: number} of a file with a name and a number in each line."""
    return dict(line.split()[:2] for line in cgroup.text(path).splitlines())
