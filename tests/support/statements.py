"""Count the package's statements and print them beside the limits in tests/statements.json, which may only fall.

    python tests/support/statements.py            # print each room with its limit
    python tests/support/statements.py --lower    # lower limits to today's numbers

A statement is an `ast.stmt` that is not a docstring. A room is a folder or a module at the top of the package. The
rules' lines of code are counted, too. Tests are not counted.
"""

import ast
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = ROOT / "tests" / "statements.json"


def count_text(text):
    """Return the number of statements in Python source, docstrings excluded."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    return sum(not _is_docstring(node) for node in nodes)


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def count(root=ROOT):
    """Return {room: statements}, with the sum as "package" and the number of the rules' lines of code as "rules"."""
    package, counts = root / "workflow" / "accelbench", Counter()
    for path in sorted(package.rglob("*.py")):
        counts[path.relative_to(package).parts[0].removesuffix(".py")] += count_text(path.read_text("utf-8"))
    lines = [line.strip() for path in (root / "workflow" / "rules").glob("*.smk") for line in path.open()]
    rules = sum(bool(line) and not line.startswith("#") for line in lines)
    return {**dict(sorted(counts.items())), "package": counts.total(), "rules": rules}


def main():
    """Print the numbers; with --lower, lower the limits to these numbers."""
    limits, counts = json.loads(LIMITS.read_text()), count()
    for name, number in counts.items():
        print(f"{number:6} of {limits.get(name, 0):6}  {name}")
    if "--lower" in sys.argv[1:]:
        lowered = {name: min(number, counts[name]) for name, number in limits.items() if name in counts}
        LIMITS.write_text(json.dumps(lowered, indent=4) + "\n")


if __name__ == "__main__":
    main()
