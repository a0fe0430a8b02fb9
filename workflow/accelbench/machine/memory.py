"""How much memory there is, and how much of it is free."""

from pathlib import Path

from accelbench.machine import cgroup


def memory_bytes(root=cgroup.ROOT):
    """Memory this process may use in all: the machine's, or a group's limit where that is lower."""
    limit = cgroup.memory_limit_bytes(root)
    total = meminfo(root)["MemTotal"]
    return total if limit is None else min(total, limit)


def free_memory_bytes(root=cgroup.ROOT):
    """Bytes that can be taken now without swapping or hitting the limit of a container or batch job."""
    room = cgroup.free_memory_bytes(root)
    available = meminfo(root)["MemAvailable"]
    return available if room is None else min(available, room)


def meminfo(root=cgroup.ROOT):
    """{name: bytes} of /proc/meminfo."""
    lines = Path(root, "proc/meminfo").read_text(encoding="ascii").splitlines()
    return {name: int(value.split()[0]) * 1024 for name, value in (line.split(":") for line in lines if "kB" in line)}
