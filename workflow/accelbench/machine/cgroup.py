"""Control groups (cgroup v1 and v2), with which containers and batch systems limit processes.

Source: the Linux kernel's Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst.
"""

import os
import re
from pathlib import Path

ROOT = Path("/")


def cpu_quota(root=ROOT):
    """Return the lowest CPU quota of all groups that contain this process, in CPUs; None without a quota."""
    return min(filter(None, map(_quota, folders("cpu", root))), default=None)


def folders(controller, root):
    """Yield the folders of the groups that contain this process, in v1 and v2 hierarchies of a controller.

    The innermost group of a hierarchy comes first.
    """
    memberships = [line.split(":", 2) for line in text(root / "proc/self/cgroup").splitlines()]
    for mount_root, mount_point, kind, options in _mounts(root):
        for _, controllers, group in memberships:
            unified = kind == "cgroup2" and controllers == ""
            if unified or (kind == "cgroup" and controller in options and controller in controllers.split(",")):
                # In a container, the mount may contain only the container's part of the hierarchy.
                inside = group[len(mount_root) :] if group.startswith(mount_root.rstrip("/") + "/") else group
                inside = Path(inside.strip("/"))
                for part in (inside, *inside.parents):
                    folder = root / mount_point.lstrip("/") / part
                    if folder.is_dir():
                        yield folder


def _mounts(root):
    """Yield (path within the hierarchy, mount point, "cgroup" or "cgroup2", options) of every cgroup mount."""
    for line in text(root / "proc/self/mountinfo").splitlines():
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            # Spaces and backslashes in paths are written as octal numbers.
            paths = (re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), field) for field in fields.split()[3:5])
            mount_root, mount_point = paths
            yield mount_root, mount_point, kind, options.split()[-1].split(",")


def _quota(folder):
    quota, _, period = text(folder / "cpu.max").partition(" ")
    if not quota:
        quota, period = text(folder / "cpu.cfs_quota_us"), text(folder / "cpu.cfs_period_us")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None


def text(path):
    """Return the contents of a file; "" if it is missing or may not be read."""
    try:
        return os.fsdecode(path.read_bytes()).strip()
    except OSError:
        return ""
