"""The published machines, as parameters of tests."""

import pytest

from accelbench import project

EXAMPLES = project.ROOT / "reports" / "examples"


def machines(*quick):
    """All of them; those that are not `quick` are left to `make test-all`."""
    names = sorted(path.parent.name for path in EXAMPLES.glob("*/machine.json"))
    assert set(quick) < set(names)
    return [pytest.param(name, marks=[] if name in quick else pytest.mark.slow) for name in names]
