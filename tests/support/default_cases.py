"""The cases of the default sweep on a pretended machine of 16 cores and an NVIDIA GPU.

`python tests/support/default_cases.py` writes these cases to tests/config/default_cases.txt. Commit that file after an
intended change of the default sweep.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))


import pretended_results.gpu

from accelbench import config, project
from accelbench.config import select
from accelbench.measure import plan
from accelbench.model.machine import Machine

RENEW = "python tests/support/default_cases.py"
LISTED = Path(__file__).parents[1] / "config" / "default_cases.txt"


def planned(configuration):
    """Return the ids of the cases of a Config on the pretended machine, by kernel in the order of the sweep."""
    machine = Machine.model_validate(pretended_results.gpu.machine())
    kernels, _ = select.plan(configuration, project.DEFAULT_CONFIG)
    return [case.id for kernel in kernels.values() for case in plan.cases(kernel, machine)]


if __name__ == "__main__":
    LISTED.write_text("".join(f"{case}\n" for case in planned(config.read(project.DEFAULT_CONFIG))))
