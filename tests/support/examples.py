"""The published machines, as parameters of tests."""

import pytest

from accelbench import project

EXAMPLES = project.ROOT / "reports" / "examples"
MACHINES = sorted(path.parent.name for path in EXAMPLES.glob("*/machine.json"))


def machines(*quick):
    """All of them; those that are not `quick` are left to `make test-all`."""
    assert set(quick) < set(MACHINES)
    return [pytest.param(name, marks=[] if name in quick else pytest.mark.slow) for name in MACHINES]
