"""Test of a case's clock frequencies, which are those of its device."""

import json

import pytest
from pretended_results import GPU, REPETITIONS, record, save
from read_results import read

from accelbench.decide.words import clocks as clocks_of

MEGAHERTZ = (1980, 1500)  # Clock frequencies of two GPUs
MEANWHILE = {"frequency_mhz": [2100.0, 2100.0], "gpus": [{"sm_clock_mhz": [mhz, mhz]} for mhz in MEGAHERTZ]}


@pytest.mark.parametrize(
    ("device", "clocks"),
    [
        (None, "cores 2100 MHz"),
        ("NVIDIA H200 #1", "GPU 1980 MHz"),
        ("NVIDIA H200 #2", "GPU 1500 MHz"),
        ("NVIDIA H200", "GPU 1500 to 1980 MHz"),  # either of two GPUs
        ("NVIDIA H200 MIG 1g.18gb", "GPU 1500 to 1980 MHz"),
    ],
)
def test_clocks_are_of_the_device(tmp_path, device, clocks):
    beside = {"environment": {"system_state": [[MEANWHILE]] * len(REPETITIONS)}}
    numpy = record("numpy_thing", compute=1.0, **beside)
    own = GPU | {"device": device} if device else {}
    kinds = dict.fromkeys(["compute", "throughput", "call", "end_to_end"] if device else ["compute"], 0.5)
    devices = [{"name": device, "kind": "gpu"}] if device else []
    folder = save(tmp_path / "here", numpy, record("cupy_thing", **kinds, **own, **beside), devices=devices)
    machine = json.loads((folder / "machine.json").read_text())
    gpus = [{"index": n, "name": "NVIDIA H200"} for n in range(2)]
    (folder / "machine.json").write_text(json.dumps(machine | {"gpus": gpus}))
    analysis = read(folder)
    told = {case.record.implementation: clocks_of(analysis, case) for case in analysis.cases}
    assert told == {"numpy_thing": "cores 2100 MHz", "cupy_thing": clocks}
