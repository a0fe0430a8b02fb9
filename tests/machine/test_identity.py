"""Tests of the kind of computer that a results folder accepts."""

import pytest

from accelbench.errors import InputError
from accelbench.machine import identity, processor
from accelbench.model.machine import Processor
from accelbench.store import files

HERE = Processor(
    model="AMD EPYC", architecture="x86_64", vendor="AuthenticAMD", family="25", number="17", cores=2, available=2,
    sockets=1, numa_nodes=1, caches={"L1d": 32 << 10, "L2": 1 << 20},
)  # fmt: skip


@pytest.fixture
def computer(monkeypatch):
    """Return a function that simulates a processor with the facts in its arguments."""

    def pretend(**facts):
        cpu = HERE.model_copy(update=facts)
        monkeypatch.setattr(processor, "describe", lambda: cpu)
        monkeypatch.setattr(processor, "identity", lambda: f"{cpu.family}-{cpu.number}-{cpu.cores}")

    pretend()
    return pretend


@pytest.mark.parametrize("name", ["AMD EPYC", "AMD EPYC 9R14"])
def test_one_kind_is_taken_whatever_it_calls_itself(tmp_path, computer, name):
    identity.check(tmp_path)
    computer(model=name, caches={"L1d": 48 << 10})
    identity.check(tmp_path)


@pytest.mark.parametrize("facts", [{"family": "26", "number": "2"}, {"number": "1"}, {"cores": 4}])
def test_two_processors_of_one_name_share_no_results(tmp_path, computer, facts):
    identity.check(tmp_path)
    computer(**facts)
    with pytest.raises(InputError, match="contains results of AMD EPYC, 2 cores"):
        identity.check(tmp_path)


def test_machine_json_tells_the_computer_where_identity_json_is_missing(tmp_path, computer, described):
    files.write_json(tmp_path / "machine.json", described | {"identity": "25-17-2", "cpu": HERE.model_dump()})
    identity.check(tmp_path)
    computer(family="26")
    with pytest.raises(InputError, match="contains results of AMD EPYC, 2 cores"):
        identity.check(tmp_path)
