"""The commands that pages print: those that measure a case or a kernel again, with the configuration it was swept with.
The script of the page where one decides writes the same."""

import shlex

from accelbench.analysis import Analysis
from accelbench.config import repeat


def option(analysis: Analysis, kernel: str) -> str:
    """Return what a kernel's commands are given for its configuration; "" where that is the default one."""
    metadata = analysis.kernels.get(kernel)
    return repeat.option(metadata) if metadata else ""


def case(analysis: Analysis, name: str) -> str:
    """Return the shell command that runs one case again."""
    quoted = f"'{name}'" if "'" not in name else shlex.quote(name)
    return " ".join(filter(None, ["python -m accelbench case", quoted, option(analysis, name.partition("/")[0])]))


def run(analysis: Analysis, kernel: str, *words: str) -> str:
    """Return the shell command that measures what is missing of a kernel, and what `words` ask for."""
    return " ".join(filter(None, ["python -m accelbench run --kernel", kernel, option(analysis, kernel), *words]))
