"""The processor: its model, cores and caches, and the CPUs that this process may use, read from files of Linux."""

import os
import platform
import re

from accelbench.machine import cgroup
from accelbench.model.machine import Processor
from accelbench.store import files

CPUS = "sys/devices/system/cpu"
# Names of fields in /proc/cpuinfo on x86, ARM and RISC-V. Source: arch/*/kernel/ of the Linux kernel
VENDOR = ("vendor_id", "CPU implementer", "mvendorid")
FAMILY = ("cpu family", "CPU architecture")
NUMBER = ("model", "CPU part", "marchid")
STEPPING = ("stepping", "revision", "mimpid")


def available_cpus(root=cgroup.ROOT):
    """Return the number of CPUs in this process's affinity, or its CPU quota if that is lower; at least 1.

    A quota of 2.5 counts as 2, because Linux would stop three threads for part of each period.
    """
    affinity = len(os.sched_getaffinity(0))
    quota = cgroup.cpu_quota(root)
    return affinity if quota is None else max(1, min(affinity, int(quota)))


def identity(root=cgroup.ROOT):
    """Return the digest of architecture, vendor, family, model and number of cores.

    Machines with the same digest may share a results folder. The digest contains the number of the model, because
    different processors are called "AMD EPYC". If the number is unknown, the digest contains the marketing name.
    """
    cpus = _cpus(root)
    return files.digest(platform.machine(), *_kind(cpus), len({_place(root, fields) for fields in cpus}))


def revision(root=cgroup.ROOT):
    """Return (stepping, microcode), each None if it is unknown."""
    cpus = _cpus(root)
    return _joined(cpus, _stepping) or None, _joined(cpus, lambda fields: fields.get("microcode", "")) or None


def describe(root=cgroup.ROOT):
    """Return this computer's Processor."""
    cpus = _cpus(root)
    places = [_place(root, fields) for fields in cpus]
    vendor, family, number = _kind(cpus)
    sizes, last_level = caches(root)
    return Processor(
        model=_name(cpus[0] if cpus else {}),
        architecture=platform.machine(),
        vendor=vendor,
        family=family,
        number=number,
        cores=len(set(places)),
        threads=len(places),
        available=available_cpus(root),
        sockets=len({socket for socket, _ in places}),
        numa_nodes=max(1, len(list((root / "sys/devices/system/node").glob("node[0-9]*")))),
        caches=sizes,
        last_level_cache_bytes=last_level,
        governor=governor(root),
    )


def virtualised(root=cgroup.ROOT):
    """Return whether Linux reports a virtual machine."""
    first, *_ = [*_cpus(root), {}]
    flags = first.get("flags", first.get("Features", "")).split()
    hints = ("sys/hypervisor/type", "proc/device-tree/hypervisor")
    return "hypervisor" in flags or any((root / hint).exists() for hint in hints)


def governor(root=cgroup.ROOT):
    """Return the frequency governor of the first CPU; None if there is none, as in most virtual machines."""
    return cgroup.text(root / CPUS / "cpu0/cpufreq/scaling_governor") or None


def frequency_mhz(root=cgroup.ROOT):
    """Return the first CPU's present frequency in MHz, or None if it is unknown."""
    khz = cgroup.text(root / CPUS / "cpu0/cpufreq/scaling_cur_freq")
    if khz.isdigit():
        return int(khz) / 1000
    with (root / "proc/cpuinfo").open("rb") as stream:
        # Read only the first page. Linux generates the file during reading, which takes long with many CPUs.
        match = re.search(rb"^cpu MHz\s*:\s*([\d.]+)", stream.read(4096), re.MULTILINE)
    return float(match[1]) if match else None


def _cpus(root):
    """Return the fields of each CPU in /proc/cpuinfo."""
    cpus = []
    for paragraph in re.split(r"\n\s*\n", cgroup.text(root / "proc/cpuinfo")):
        fields = dict(re.findall(r"^([^\n:]*?)\s*:[ \t]*(.*?)\s*$", paragraph, re.MULTILINE))
        if "processor" in fields:
            cpus.append(fields)
    return cpus


def _name(fields):
    """Return the marketing name of a CPU; without such a name, as on ARM, the implementer and the part number."""
    part = " ".join(filter(None, (fields.get("CPU implementer"), fields.get("CPU part"))))
    return fields.get("model name") or fields.get("cpu") or part or platform.machine()


def _kind(cpus):
    """Return (vendor, family, number of the model). The marketing name replaces a missing number.

    If a processor has several kinds of cores, as on ARM, the texts contain the values of all kinds.
    """
    vendor, family = (_joined(cpus, lambda fields, names=names: _first(fields, names)) for names in (VENDOR, FAMILY))
    return vendor, family, _joined(cpus or [{}], lambda fields: _first(fields, NUMBER) or _name(fields))


def _first(fields, names):
    return next((fields[name] for name in names if fields.get(name)), "")


def _stepping(fields):
    if "CPU variant" in fields or "CPU revision" in fields:
        return f"{fields.get('CPU variant', '')} {fields.get('CPU revision', '')}".strip()
    return _first(fields, STEPPING)


def _joined(cpus, value):
    """Return the distinct values of all CPUs as one text."""
    return "+".join(dict.fromkeys(value(fields) for fields in cpus))


def _place(root, fields):
    """Return (socket, core) of a CPU. ARM's cpuinfo lacks core numbers, which sysfs has."""
    number = fields.get("processor")
    topology = root / CPUS / f"cpu{number}" / "topology"
    socket = fields.get("physical id") or cgroup.text(topology / "physical_package_id") or "0"
    return socket, fields.get("core id") or cgroup.text(topology / "core_id") or number


def caches(root=cgroup.ROOT):
    """Return ({"L1d": bytes of one L1d cache, ...}, total bytes of all last-level caches or None if unknown)."""
    sizes, instances = {}, {}
    for index in sorted((root / CPUS).glob("cpu[0-9]*/cache/index[0-9]*")):
        level, kind, size = (cgroup.text(index / name) for name in ("level", "type", "size"))
        match = re.fullmatch(r"(\d+)([KMG]?)", size)
        if not level or not match:
            continue
        name = f"L{level}" + {"Data": "d", "Instruction": "i"}.get(kind, "")
        count = int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]
        sizes[name] = max(count, sizes.get(name, 0))
        instances[name, cgroup.text(index / "shared_cpu_list")] = count
    last = max((name for name in sizes if not name.endswith("i")), default=None)
    return dict(sorted(sizes.items())), sum(size for (name, _), size in instances.items() if name == last) or None
