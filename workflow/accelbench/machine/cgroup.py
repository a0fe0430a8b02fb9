"""Limits the kernel sets on a group of processes, as containers and batch systems use them (cgroup v1 and v2).

Source: the Linux kernel's Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst.
"""

import os
import re
from pathlib import Path

ROOT = Path("/")


def cpu_quota(root=ROOT):
    """How many CPUs' worth of time this process may use, or None for no limit: the least over all enclosing groups."""
    quotas = [quota for folder in _folders("cpu", root) if (quota := _quota(folder)) is not None]
    return min(quotas, default=None)


def free_memory_bytes(root=ROOT):
    """Bytes this process's groups may still take, or None for no limit: the least over all enclosing groups.

    Pages of files that the kernel gives up when asked (inactive_file) count as free.
    """
    free = [room for folder in _folders("memory", root) if (room := _memory_room(folder)) is not None]
    return min(free, default=None)


def memory_limit_bytes(root=ROOT):
    """The lowest memory limit of this process's groups in bytes, or None for no limit."""
    limits = [limit for folder in _folders("memory", root) if (limit := _memory_limit(folder)) is not None]
    return min(limits, default=None)


def oom_kills(root=ROOT):
    """How many processes the kernel has killed because memory ran out: in this process's innermost group that counts
    them, else on the whole machine. None where neither says so."""
    counters = [
        folder / name for folder in _folders("memory", root) for name in ("memory.events", "memory.oom_control")
    ]
    for path in (*counters, root / "proc/vmstat"):
        counts = dict(line.split() for line in _text(path).splitlines())
        if "oom_kill" in counts:
            return int(counts["oom_kill"])
    return None


def _folders(controller, root):
    """Folders of the groups this process is in for a controller, from its own outwards, in v1's and v2's hierarchy."""
    memberships = [line.split(":", 2) for line in _text(root / "proc/self/cgroup").splitlines()]
    for mount_root, mount_point, kind, options in _mounts(root):
        for _, controllers, group in memberships:
            unified = kind == "cgroup2" and controllers == ""
            if unified or (kind == "cgroup" and controller in options and controller in controllers.split(",")):
                # In a container the mount may show only the container's own part of the hierarchy.
                inside = group[len(mount_root) :] if group.startswith(mount_root.rstrip("/") + "/") else group
                inside = Path(inside.strip("/"))
                for part in (inside, *inside.parents):
                    folder = root / mount_point.lstrip("/") / part
                    if folder.is_dir():
                        yield folder


def _mounts(root):
    """(path within the hierarchy, mount point, "cgroup" or "cgroup2", options) of every cgroup mount."""
    for line in _text(root / "proc/self/mountinfo").splitlines():
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            mount_root, mount_point = (_unescape(field) for field in fields.split()[3:5])
            yield mount_root, mount_point, kind, options.split()[-1].split(",")


def _unescape(field):
    """mountinfo writes blanks and backslashes in paths as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)


def _quota(folder):
    quota, _, period = _text(folder / "cpu.max").partition(" ")
    if not quota:
        quota, period = _text(folder / "cpu.cfs_quota_us"), _text(folder / "cpu.cfs_period_us")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None


def _memory_limit(folder):
    limit = _text(folder / "memory.max") or _text(folder / "memory.limit_in_bytes")
    # v1 writes "no limit" as the largest multiple of the page size below 2**63.
    return int(limit) if limit.isdigit() and int(limit) < 2**62 else None


def _memory_room(folder):
    limit = _memory_limit(folder)
    usage = _text(folder / "memory.current") or _text(folder / "memory.usage_in_bytes")
    if limit is None or not usage.isdigit():
        return None
    statistics = dict(line.split() for line in _text(folder / "memory.stat").splitlines())
    reclaimable = int(statistics.get("total_inactive_file", statistics.get("inactive_file", 0)))
    return max(0, limit - max(0, int(usage) - reclaimable))


def _text(path):
    """Contents of a file, "" where it is not there or may not be read."""
    try:
        return os.fsdecode(path.read_bytes()).strip()
    except OSError:
        return ""
