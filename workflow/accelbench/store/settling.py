"""Which cases are measured in repetitions beyond those that the configuration asks for: settling/<kernel>.json of a
machine's results, {number of the repetition: ids of cases}."""

from pathlib import Path

from accelbench.errors import InputError
from accelbench.store import files

FIRST = 1001  # the number of the first such repetition: no configuration asks for so many


def _path(folder, kernel):
    return Path(folder) / "settling" / f"{kernel}.json"


def read(folder, kernel) -> dict[int, list[str]]:
    """{number: ids}; {} where there are none; InputError where the file is damaged."""
    path, again = _path(folder, kernel), "Delete it: what was measured for it is kept"
    if not path.exists():
        return {}
    found = files.read_json(path, again)
    try:
        return {int(number): [str(case) for case in cases] for number, cases in found.items()}
    except (AttributeError, TypeError, ValueError):
        raise InputError(path, "is no mapping of repetitions to cases", again) from None


def add(folder, kernel, cases) -> int:
    """Have one more repetition measure these cases; its number."""
    found = read(folder, kernel)
    number = max([FIRST - 1, *found]) + 1
    files.write_json(_path(folder, kernel), {str(n): ids for n, ids in found.items()} | {str(number): sorted(cases)})
    return number
