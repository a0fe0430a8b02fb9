"""Test of the complete description of a machine."""

import json
import platform

from accelbench import backends
from accelbench.config import Config
from accelbench.machine.description import describe
from accelbench.machine.processor import available_cpus
from accelbench.model.machine import Machine


def test_description_can_be_written_and_read():
    found = describe("local", Config.model_validate({"build": {"cc": "no-such-cc"}}))
    assert Machine.model_validate_json(json.dumps(found.model_dump(mode="json"))) == found
    assert found.name == "local"
    assert found.python == platform.python_version()
    assert found.compilers["cc"] is None
    assert set(found.backends) == {name for name in backends.modules() if backends.environment(name) is None}
    for state in found.backends.values():
        assert state.available == bool(state.devices)
        # An available backend has a reason only if it leaves out a driver.
        assert bool(state.reason) == (not state.available or bool(state.unusable))
    assert found.cpu.available == available_cpus()
