"""Tests of the instance of a machine: another GPU or CPU stepping is another instance, another boot is not."""

import pytest

from accelbench import nvidia
from accelbench.machine import instance
from accelbench.model.gpu import Gpu
from accelbench.model.instance import Instance

CARDS = ["GPU-174f4881-1111", "GPU-f48221e6-2222"]
BOOT = "proc/sys/kernel/random/boot_id"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a function that describes a machine with the facts in its arguments."""
    for name in ("CUDA_VISIBLE_DEVICES", "SLURMD_NODENAME", "_CONDOR_JOB_AD"):
        monkeypatch.delenv(name, raising=False)

    def describe(*, stepping=1, microcode="0xa1", level1="32K", boot="first", cards=(), visible=None, node=None):
        cpu = f"processor: 0\nvendor_id: AuthenticAMD\ncpu family: 25\nmodel: 17\nstepping: {stepping}"
        folder = "sys/devices/system/cpu/cpu0/cache/index0"
        cache = {"level": "1", "type": "Data", "size": level1, "shared_cpu_list": "0"}
        for name, text in {
            "proc/cpuinfo": f"{cpu}\nmicrocode: {microcode}" if microcode else cpu,
            BOOT: boot,
            **{f"{folder}/{name}": text for name, text in cache.items()},
        }.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(f"{text}\n")
        monkeypatch.setattr(nvidia, "describe", lambda: [Gpu(name="NVIDIA H200", uuid=uuid) for uuid in cards])
        for name, value in (("CUDA_VISIBLE_DEVICES", visible), ("SLURMD_NODENAME", node)):
            monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
        return instance.describe(tmp_path)

    return describe


def test_it_is_recorded(machine):
    found = machine(cards=CARDS)
    assert found == Instance(
        name=found.name, stepping="1", microcode="0xa1", caches={"L1d": 32 << 10}, gpus=CARDS, boot="first"
    )
    assert str(found) == f"{found.name} (stepping 1, microcode 0xa1, GPUs GPU-174f4881 GPU-f48221e6)"
    assert Instance.model_validate(found.model_dump(mode="json")) == found


def test_two_boots_are_one_instance(machine):
    first, second = machine(boot="first"), machine(boot="second")
    assert (first.boot, second.boot) == ("first", "second")
    assert first.name == second.name


@pytest.mark.parametrize(
    "facts",
    [
        {"stepping": 2},
        {"microcode": "0xb2"},
        {"microcode": None},
        {"level1": "48K"},
        {"cards": CARDS[1:]},
        {"cards": CARDS},
        {"node": "node17"},
    ],
)
def test_another_specimen_has_another_name(machine, facts):
    known = {"cards": CARDS[:1], "node": None}
    assert machine(**known | facts).name != machine(**known).name
    assert machine(**known | facts).name == machine(**known | facts | {"boot": "later"}).name


def test_two_cards_of_one_node_are_two_instances(machine):
    """The GPUs have the same processor, node and boot."""
    first, second = (machine(cards=CARDS, visible=visible, node="node17") for visible in ("0", "1"))
    assert (first.gpus, second.gpus) == (CARDS[:1], CARDS[1:])
    assert first.name != second.name
    assert machine(cards=CARDS, visible=CARDS[1][:12], node="node17").name == second.name
    assert machine(cards=CARDS[1:], node="node17").name == second.name
    assert machine(cards=CARDS, visible="1,0").gpus == CARDS[::-1]


@pytest.mark.parametrize(("visible", "seen"), [("", []), ("-1,0", []), ("1,7,0", CARDS[1:]), ("MIG-3", ["MIG-3"])])
def test_cards_that_are_hidden_are_none_of_it(machine, visible, seen):
    assert machine(cards=CARDS, visible=visible).gpus == seen


def test_this_machine_has_the_same_name_twice():
    assert instance.describe() == instance.describe()
