"""Published machines as parameters of tests."""

import pytest

from accelbench import project

EXAMPLES = project.ROOT / "reports" / "examples"
MACHINES = sorted(path.parent.name for path in EXAMPLES.glob("*/machine.json"))
# Machines with pages. The pages of some machines are committed; `make examples` renders the pages of all machines.
RENDERED = sorted(path.parent.name for path in EXAMPLES.glob("*/index.html"))


def machines(*quick):
    """Return a parameter for each machine with pages. Only `make test-all` tests machines that are not in `quick`."""
    assert set(quick) < set(MACHINES)
    assert set(quick) & set(RENDERED)
    return [pytest.param(name, marks=[] if name in quick else pytest.mark.slow) for name in RENDERED]


def rendered(machine):
    """Return the folder of a machine with its pages; skip the test if they are not rendered."""
    if machine not in RENDERED:
        pytest.skip(f"make examples renders the pages of {machine}")
    return EXAMPLES / machine
