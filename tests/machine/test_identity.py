"""Whose results a folder takes: those of one kind of computer, which older folders know less of."""

import json

import pytest

from accelbench.errors import InputError
from accelbench.machine import identity, processor
from accelbench.model.machine import Processor
from accelbench.store import files

HERE = Processor(
    model="AMD EPYC", architecture="x86_64", vendor="AuthenticAMD", family="25", number="17", cores=2, available=2,
    sockets=1, numa_nodes=1, caches={"L1d": 32 << 10, "L2": 1 << 20},
)  # fmt: skip
OLDER = {"identity": "0" * 32, "model": "AMD EPYC", "cores": 2, "hostname": "then"}
ADOPTED = "results name their processor, AMD EPYC, not its family and model"


@pytest.fixture
def computer(monkeypatch):
    """Pretends this computer's processor to be one with these facts."""

    def pretend(**facts):
        cpu = HERE.model_copy(update=facts)
        monkeypatch.setattr(processor, "describe", lambda: cpu)
        monkeypatch.setattr(processor, "identity", lambda: f"{cpu.family}-{cpu.number}-{cpu.cores}")

    pretend()
    return pretend


def older_machine(described, **cpu):
    """A machine.json of before, in which processors have a name and no numbers."""
    told = {"model": "AMD EPYC", "architecture": "x86_64", "cores": 2, "caches": {"L1d": 32 << 10}} | cpu
    gone = dict.fromkeys(("vendor", "family", "number"))
    return described | {"identity": OLDER["identity"], "cpu": described["cpu"] | gone | told}


@pytest.mark.parametrize("name", ["AMD EPYC", "AMD EPYC 9R14"])
def test_one_kind_is_taken_whatever_it_calls_itself(tmp_path, computer, capsys, name):
    identity.check(tmp_path)
    computer(model=name, caches={"L1d": 48 << 10})
    identity.check(tmp_path)
    assert not capsys.readouterr().err


@pytest.mark.parametrize("facts", [{"family": "26", "number": "2"}, {"number": "1"}, {"cores": 4}])
def test_two_processors_of_one_name_share_no_results(tmp_path, computer, facts):
    identity.check(tmp_path)
    computer(**facts)
    with pytest.raises(InputError, match="holds results of AMD EPYC, 2 cores"):
        identity.check(tmp_path)


@pytest.mark.parametrize("kept", ["identity.json", "machine.json", "both"])
def test_a_folder_of_before_is_adopted_once_with_one_notice(tmp_path, computer, described, capsys, kept):
    if kept != "machine.json":
        files.write_json(tmp_path / "identity.json", OLDER)
    if kept != "identity.json":
        files.write_json(tmp_path / "machine.json", older_machine(described))
    identity.check(tmp_path)
    assert capsys.readouterr().err.count(ADOPTED) == 1
    identity.check(tmp_path)
    assert not capsys.readouterr().err
    assert json.loads((tmp_path / "identity.json").read_text())["number"] == "17"
    computer(family="26")
    with pytest.raises(InputError, match="but this is"):
        identity.check(tmp_path)


@pytest.mark.parametrize("facts", [{"model": "AMD EPYC 7B13"}, {"cores": 4}])
def test_a_folder_of_before_is_not_adopted_by_what_plainly_is_another(tmp_path, computer, facts):
    files.write_json(tmp_path / "identity.json", OLDER)
    computer(**facts)
    with pytest.raises(InputError, match=r"holds results of AMD EPYC, 2 cores \(then\), but this is"):
        identity.check(tmp_path)
    assert json.loads((tmp_path / "identity.json").read_text()) == OLDER


@pytest.mark.parametrize("told", [{"caches": {"L1d": 48 << 10}}, {"architecture": "aarch64"}])
def test_what_machine_json_of_before_tells_besides_counts(tmp_path, computer, described, told):
    """Two processors, both called "AMD EPYC", with level-1 caches of 32 and 48 KiB were one machine then."""
    files.write_json(tmp_path / "identity.json", OLDER)
    files.write_json(tmp_path / "machine.json", older_machine(described, **told))
    with pytest.raises(InputError, match="holds results of AMD EPYC"):
        identity.check(tmp_path)


def test_a_machine_described_anew_does_not_undo_what_was_remembered(tmp_path, computer, described, capsys):
    files.write_json(tmp_path / "identity.json", OLDER)
    files.write_json(tmp_path / "machine.json", described | {"identity": "25-17-2", "cpu": HERE.model_dump()})
    identity.check(tmp_path)
    assert ADOPTED in capsys.readouterr().err
