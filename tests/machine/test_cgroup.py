"""Tests of the limits of containers and batch jobs, read from imitations of the kernel's files."""

import os

import pytest

from accelbench.machine import cgroup, memory, processor
from accelbench.machine.memory import free_memory_bytes
from accelbench.machine.processor import available_cpus

GIB = 2**30


@pytest.fixture
def system(tmp_path):
    """Return system({path: text}), which writes and returns a machine's root folder with 6 of 8 GiB of memory free."""

    def write(contents):
        common = {"proc/meminfo": f"MemTotal: {8 * GIB // 1024} kB\nMemAvailable: {6 * GIB // 1024} kB\nHugePages: 0\n"}
        for name, text in (common | contents).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def v2(group, **values):
    """Return the files of a machine with cgroup v2. `values` is {group: {file: text}}; this process is in `group`."""
    files = {
        "proc/self/cgroup": f"0::{group}\n",
        "proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
    }
    for folder, contents in values.items():
        files |= {f"sys/fs/cgroup/{folder}/{name}": text for name, text in contents.items()}
    return files


def v1(group, mount_root, **contents):
    """Return the files of a machine with cgroup v1 whose controllers cpu and memory are mounted from `mount_root`."""
    files = {
        "proc/self/cgroup": f"5:memory:{group}\n4:cpu,cpuacct:{group}\n0::/\n",
        "proc/self/mountinfo": (
            f"40 31 0:30 {mount_root} /sys/fs/cgroup/cpu,cpuacct ro shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
            f"41 31 0:31 {mount_root} /sys/fs/cgroup/memory ro shared:10 - cgroup cgroup rw,memory\n"
        ),
    }
    for folder, values in contents.items():
        files |= {f"sys/fs/cgroup/{folder}/{name}": text for name, text in values.items()}
    return files


def test_no_groups_no_limits(system):
    root = system({})
    assert cgroup.cpu_quota(root) is None
    assert free_memory_bytes(root) == 6 * GIB
    assert memory.memory_bytes(root) == 8 * GIB
    assert available_cpus(root) == len(os.sched_getaffinity(0))


def test_v2_quota_is_the_lowest_of_all_enclosing_groups(system):
    root = system(v2("/batch/job", batch={"cpu.max": "150000 100000\n"}, **{"batch/job": {"cpu.max": "max 100000\n"}}))
    assert cgroup.cpu_quota(root) == 1.5
    assert available_cpus(root) == 1


@pytest.mark.parametrize(("quota", "expected"), [("20000 100000", 1), ("100000000 100000", None)])
def test_available_cpus_is_at_least_one_and_at_most_the_affinity(system, quota, expected):
    root = system(v2("/job", job={"cpu.max": quota}))
    assert available_cpus(root) == (expected or len(os.sched_getaffinity(0)))


def test_v1_quota_in_a_container_that_sees_only_its_own_part(system):
    cpu = {"cpu.cfs_quota_us": "300000\n", "cpu.cfs_period_us": "100000\n"}
    root = system(v1("/docker/abc", "/docker/abc", **{"cpu,cpuacct": cpu}))
    assert cgroup.cpu_quota(root) == 3.0


def test_v1_quota_below_the_mounts_root(system):
    cpu = {"cpu.cfs_quota_us": "250000", "cpu.cfs_period_us": "100000"}
    root = system(v1("/docker/abc/job", "/docker/abc", **{"cpu,cpuacct/job": cpu}))
    assert cgroup.cpu_quota(root) == 2.5


def test_v1_without_quota(system):
    cpu = {"cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n"}
    assert cgroup.cpu_quota(system(v1("/", "/", **{"cpu,cpuacct": cpu}))) is None


def test_v2_memory_counts_file_pages_the_kernel_gives_up_as_free(system):
    job = {
        "memory.max": str(4 * GIB),
        "memory.current": str(3 * GIB),
        "memory.stat": f"anon 5\ninactive_file {GIB}\nactive_file 7\n",
    }
    root = system(v2("/job", job=job))
    assert free_memory_bytes(root) == 2 * GIB
    assert memory.memory_bytes(root) == 4 * GIB


def test_an_outer_group_may_be_the_tighter_one(system):
    outer = {"memory.max": str(2 * GIB), "memory.current": str(GIB), "memory.stat": ""}
    inner = {"memory.max": "max", "memory.current": str(GIB), "memory.stat": ""}
    assert free_memory_bytes(system(v2("/outer/inner", outer=outer, **{"outer/inner": inner}))) == GIB


def test_v1_memory(system):
    values = {
        "memory.limit_in_bytes": str(2 * GIB),
        "memory.usage_in_bytes": str(GIB),
        "memory.stat": f"inactive_file 0\ntotal_inactive_file {GIB // 2}\n",
    }
    assert free_memory_bytes(system(v1("/", "/", memory=values))) == GIB * 3 // 2


def test_v1_unlimited_memory_is_no_limit(system):
    values = {"memory.limit_in_bytes": "9223372036854771712", "memory.usage_in_bytes": "5", "memory.stat": ""}
    root = system(v1("/", "/", memory=values))
    assert free_memory_bytes(root) == 6 * GIB
    assert memory.memory_bytes(root) == 8 * GIB


def test_a_group_over_its_limit_has_nothing_free(system):
    job = {"memory.max": "1000", "memory.current": "2000", "memory.stat": ""}
    assert free_memory_bytes(system(v2("/job", job=job))) == 0


def test_this_machine():
    page = os.sysconf("SC_PAGE_SIZE")
    assert 0 < free_memory_bytes() <= os.sysconf("SC_PHYS_PAGES") * page
    assert 1 <= available_cpus() <= len(os.sched_getaffinity(0))
    assert processor.describe().available == available_cpus()


def test_what_the_kernel_killed_for_memory_is_counted(system):
    assert memory.oom_kills(system({})) is None
    assert memory.oom_kills(system({"proc/vmstat": "nr_free_pages 12\noom_kill 3\n"})) == 3


@pytest.mark.parametrize(
    "groups",
    [
        v2("/a/b", **{"a/b": {"memory.events": "low 0\noom 9\noom_kill 2\n"}, "a": {"memory.events": "oom_kill 5\n"}}),
        v1("/a/b", "/", **{"memory/a/b": {"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"}}),
    ],
)
def test_its_own_group_counts_first(system, groups):
    assert memory.oom_kills(system({"proc/vmstat": "oom_kill 7\n", **groups})) == 2
