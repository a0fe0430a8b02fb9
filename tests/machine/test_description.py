"""machine.json as a whole."""

import json
import platform

from accelbench import backends, machine
from accelbench.config import Config

KEYS = {
    "schema_version",
    "name",
    "identity",
    "cpu",
    "memory_bytes",
    "virtualised",
    "os",
    "kernel",
    "hostname",
    "python",
    "compilers",
    "distributions",
    "backends",
    "gpus",
    "driver",
    "room",
}


def test_description_can_be_written():
    found = machine.describe("local", Config.model_validate({"build": {"cc": "no-such-cc"}}))
    assert json.loads(json.dumps(found)) == found
    assert set(found) == KEYS
    assert found["name"] == "local"
    assert found["python"] == platform.python_version()
    assert found["compilers"]["cc"] is None
    assert set(found["backends"]) == set(backends.modules())
    for state in found["backends"].values():
        assert state["available"] == bool(state["devices"]) == (state["reason"] is None)
    assert found["cpu"]["available"] == machine.available_cpus()
