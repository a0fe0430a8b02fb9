"""Tests of the facts of a processor, from imitations of the kernel's files and on this machine."""

import os
import re

import psutil
import pytest

from accelbench.machine import processor

CPU = "sys/devices/system/cpu"


def cpuinfo(count, per_socket, siblings=1, flags="fpu sse2 avx2", model="Acme 9000"):
    """Return the text of /proc/cpuinfo for `count` logical CPUs, with `siblings` per core."""
    return "\n\n".join(
        f"processor\t: {n}\nmodel name\t: {model}\nphysical id\t: {n // per_socket}\n"
        f"core id\t\t: {n % per_socket // siblings}\ncpu MHz\t\t: 2400.500\nflags\t\t: {flags}"
        for n in range(count)
    )


@pytest.fixture
def system(tmp_path):
    def write(contents):
        for name, text in contents.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def cache(cpu, index, level, kind, size, shared):
    folder = f"{CPU}/cpu{cpu}/cache/index{index}"
    values = {"level": level, "type": kind, "size": size, "shared_cpu_list": shared}
    return {f"{folder}/{name}": f"{value}\n" for name, value in values.items()}


def test_two_sockets_with_hyperthreads(system):
    contents = {"proc/cpuinfo": cpuinfo(8, per_socket=4, siblings=2)}
    for cpu in range(8):
        first = cpu // 2 * 2
        contents |= cache(cpu, 0, 1, "Data", "48K", f"{first}-{first + 1}")
        contents |= cache(cpu, 1, 1, "Instruction", "32K", f"{first}-{first + 1}")
        contents |= cache(cpu, 2, 2, "Unified", "2048K", f"{first}-{first + 1}")
        contents |= cache(cpu, 3, 3, "Unified", "30M", "0-3" if cpu < 4 else "4-7")
    for node in range(2):
        contents[f"sys/devices/system/node/node{node}/cpulist"] = ""
    found = processor.describe(system(contents))
    assert found.model == "Acme 9000"
    assert (found.sockets, found.cores, found.threads, found.numa_nodes) == (2, 4, 8, 2)
    assert found.caches == {"L1d": 48 << 10, "L1i": 32 << 10, "L2": 2 << 20, "L3": 30 << 20}
    assert found.last_level_cache_bytes == 60 << 20


def x86(family, number, *, name="AMD EPYC", vendor="AuthenticAMD", stepping=1, microcode="0x1000065", cores=2):
    """Return the text of /proc/cpuinfo for a processor of a family and a model number."""
    return "\n\n".join(
        f"processor\t: {n}\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {number}\nmodel name\t: {name}\n"
        f"stepping\t: {stepping}\nmicrocode\t: {microcode}\nphysical id\t: 0\ncore id\t\t: {n}"
        for n in range(cores)
    )


def arm(part, *, implementer="0x41", variant="0x3", revision=1, cores=2):
    return "\n\n".join(
        f"processor\t: {n}\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: {implementer}\n"
        f"CPU architecture: 8\nCPU variant\t: {variant}\nCPU part\t: {part}\nCPU revision\t: {revision}"
        for n in range(cores)
    )


POWER = "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nrevision\t: 2.2 (pvr 004e 1202)\n\nmodel\t\t: 9006-22P"
RISCV = "processor\t: 0\nhart\t\t: 2\nisa\t\t: rv64gc\nmvendorid\t: 0x489\nmarchid\t\t: 0x7\nmimpid\t\t: 0x20181004"


def test_identity_is_architecture_vendor_family_model_and_cores(system, monkeypatch):
    def identity(text):
        return processor.identity(system({"proc/cpuinfo": text}))

    known = identity(x86(25, 17))
    assert identity(x86(25, 17, name="AMD EPYC 9R14")) == known  # hypervisors choose the name
    assert identity(x86(25, 17, stepping=2, microcode="0x1")) == known  # another instance of the same kind
    others = [
        x86(25, 1),
        x86(26, 17),
        x86(25, 17, vendor="GenuineIntel"),
        x86(25, 17, cores=4),
        arm("0xd40"),
        arm("0xd0c"),
    ]
    others += [arm("0xd40", cores=4), arm("0xd40", implementer="0x46"), POWER, RISCV]
    assert len({known, *map(identity, others)}) == 1 + len(others)
    monkeypatch.setattr(processor.platform, "machine", lambda: "another architecture")
    assert identity(x86(25, 17)) != known


def test_identity_is_the_name_where_no_model_is_told(system):
    identity = processor.identity(system({"proc/cpuinfo": cpuinfo(4, per_socket=4)}))
    again = {"proc/cpuinfo": cpuinfo(4, per_socket=4, flags="other"), "proc/sys/kernel/hostname": "elsewhere"}
    assert processor.identity(system(again)) == identity
    assert processor.identity(system({"proc/cpuinfo": cpuinfo(5, per_socket=5)})) != identity
    assert processor.identity(system({"proc/cpuinfo": cpuinfo(4, per_socket=4, model="Acme 9001")})) != identity


@pytest.mark.parametrize(
    ("text", "kind", "revision"),
    [
        (x86(25, 17), ("AMD EPYC", "AuthenticAMD", "25", "17"), ("1", "0x1000065")),
        (arm("0xd40"), ("0x41 0xd40", "0x41", "8", "0xd40"), ("0x3 1", None)),
        (arm("0xd05", cores=1) + "\n\n" + arm("0xd0b", variant="0x1", cores=1).replace(": 0\n", ": 1\n", 1),
         ("0x41 0xd05", "0x41", "8", "0xd05+0xd0b"), ("0x3 1+0x1 1", None)),
        (POWER, ("POWER9, altivec supported", "", "", "POWER9, altivec supported"), ("2.2 (pvr 004e 1202)", None)),
        (RISCV, (os.uname().machine, "0x489", "", "0x7"), ("0x20181004", None)),
        ("", (os.uname().machine, "", "", os.uname().machine), (None, None)),
    ],
)  # fmt: skip
def test_kind_and_revision_of_processors(system, text, kind, revision):
    root = system({"proc/cpuinfo": text})
    found = processor.describe(root)
    assert (found.model, found.vendor, found.family, found.number) == kind
    assert processor.revision(root) == revision


def test_arm_names_its_part_and_sysfs_its_cores(system):
    contents = {
        "proc/cpuinfo": "\n\n".join(
            f"processor\t: {n}\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd40" for n in range(2)
        )
    }
    for n in range(2):
        contents |= {
            f"{CPU}/cpu{n}/topology/physical_package_id": "0\n",
            f"{CPU}/cpu{n}/topology/core_id": f"{n}\n",
        }
    root = system(contents)
    found = processor.describe(root)
    assert found.model == "0x41 0xd40"
    assert (found.cores, found.sockets, found.numa_nodes, found.caches) == (2, 1, 1, {})
    assert found.last_level_cache_bytes is None
    assert processor.frequency_mhz(root) is None


def test_virtual_machines_are_told_by_flag_or_by_hypervisor(system):
    assert not processor.virtualised(system({"proc/cpuinfo": cpuinfo(1, 1)}))
    assert processor.virtualised(system({"proc/cpuinfo": cpuinfo(1, 1, flags="fpu hypervisor")}))
    assert processor.virtualised(system({"proc/cpuinfo": cpuinfo(1, 1), "sys/hypervisor/type": "xen\n"}))


def test_governor_and_frequency(system):
    root = system({"proc/cpuinfo": cpuinfo(2, 2)})
    assert processor.governor(root) is None
    assert processor.frequency_mhz(root) == 2400.5
    system({f"{CPU}/cpu0/cpufreq/scaling_governor": "powersave\n", f"{CPU}/cpu0/cpufreq/scaling_cur_freq": "3100000\n"})
    assert processor.governor(root) == "powersave"
    assert processor.frequency_mhz(root) == 3100.0


def test_this_machine_as_psutil_sees_it():
    found = processor.describe()
    assert found.threads == psutil.cpu_count(logical=True)
    assert found.cores == psutil.cpu_count(logical=False)
    assert re.fullmatch(r"[0-9a-f]{32}", processor.identity())
    for level, name in ((1, "SC_LEVEL1_DCACHE_SIZE"), (2, "SC_LEVEL2_CACHE_SIZE")):
        reported = os.sysconf(name) if name in os.sysconf_names else 0
        key = "L1d" if level == 1 else f"L{level}"
        if reported > 0 and key in found.caches:
            assert found.caches[key] == reported
