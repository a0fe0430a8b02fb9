"""Commands that pages show. A command measures a case or a kernel again, with the configuration of the original run.

The script of index.html writes the same commands.
"""

import shlex

from accelbench.analysis import Analysis
from accelbench.config import repeat


def option(analysis: Analysis, kernel: str) -> str:
    """Return the command-line option for the configuration of a kernel; "" for the default configuration."""
    metadata = analysis.kernels.get(kernel)
    return repeat.option(metadata) if metadata else ""


def case(analysis: Analysis, name: str) -> str:
    """Return the shell command that runs the case with the id `name` again."""
    quoted = f"'{name}'" if "'" not in name else shlex.quote(name)
    return " ".join(filter(None, ["python -m accelbench case", quoted, option(analysis, name.partition("/")[0])]))


def run(analysis: Analysis, kernel: str, *words: str) -> str:
    """Return the shell command that measures the missing cases of a kernel; `words` are further options."""
    return " ".join(filter(None, ["python -m accelbench run --kernel", kernel, option(analysis, kernel), *words]))
