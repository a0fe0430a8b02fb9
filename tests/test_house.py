"""Rules on the package's structure: imports, names, and sizes of modules and functions. Most use syntax trees."""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
import statements

from accelbench import project
from accelbench.model.record import TIMINGS
from accelbench.rpc.messages import ANSWERS

PACKAGE = project.ROOT / "workflow" / "accelbench"
MOST_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS, MOST_POSITIONAL = 400, 50, 6, 3
# Subscripts with a literal key that records_are_types allows, in addition to subscripts with a kind of time
ENTRIES = (
    "MARKERS['o'] backends['cupy'] namespace['run'] pictures['svg'] plots['startup'] sizes['default'] tables['timings']"
)


@cache
def package():
    """Return {module without "accelbench.": its text}. The __init__.py of a room is "room.__init__"."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text("utf-8") for path in paths}


@cache
def tree(text):
    return ast.parse(text)


# Mappings whose entries `get`, `pop` and `setdefault` may access by a literal key. In most of them, all values have one
# type: environment variables, fields of files in /proc, sizes of caches. Others are keyword arguments for functions.
MAPPINGS = (
    "os.environ variables fields first statistics _counts(path) platform.freedesktop_os_release() "
    "cpu.caches self.caches state.cpu_s rates call.parameters device.index device.versions info.data settings named"
)


def room(module):
    return module.partition(".")[0]


def imported(module, text):
    """Yield (node, absolute name) of each import of a module, also within functions: "model.record.Record", "json"."""
    parents = [*module.split(".")][:-1]
    for node in ast.walk(tree(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            start = ".".join([*(["accelbench"] if node.level else []), *base, *filter(None, [node.module])])
            for alias in node.names:
                yield node, f"{start}.{alias.name}"


def rooms_imported(module, text):
    for node, name in imported(module, text):
        if name.startswith("accelbench."):
            yield node, name.split(".")[1]


# Each rule takes {module: text} and yields (module, node, message) for each violation.


def holds_no_files(modules):
    """Reject json, csv and pathlib in model, analysis and figures, which must not access files."""
    for module, text in modules.items():
        if room(module) in ("model", "analysis", "figures"):
            for node, name in imported(module, text):
                if name.split(".")[0] in ("json", "csv", "pathlib"):
                    yield module, node, f"imports {name}"


def figures_see_types_and_analysis(modules):
    for module, text in modules.items():
        if room(module) == "figures":
            for node, other in rooms_imported(module, text):
                if other not in ("figures", "model", "analysis"):
                    yield module, node, f"imports {other}"


def pages_leave_each_other_alone(modules):
    pages = {"report", "lectures", "compare", "export"}
    for module, text in modules.items():
        if room(module) in pages:
            for node, other in rooms_imported(module, text):
                if other in pages - {room(module)}:
                    yield module, node, f"imports {other}"


def records_are_types(modules):
    """Reject literal string keys in subscripts, get, pop and setdefault: the package passes types, not dictionaries.

    The rooms store and kernels are exempt. So are modules that convert answers of processes or YAML to types, modules
    that convert types to tables, and lectures.pool_walk. Kinds of time, ENTRIES and MAPPINGS are allowed everywhere.
    """
    readers = ("rpc.channel", "rpc.process", "config.reading", "lectures.entries", "lectures.pool_walk")
    for module, text in modules.items():
        if room(module) not in ("store", "kernels") and not module.startswith((*readers, "analysis.tables.")):
            for node in ast.walk(tree(text)):
                mapping, key = _taken(node)
                taken = isinstance(key, str) and mapping not in MAPPINGS.split() and key not in TIMINGS
                if taken and (what := ast.unparse(node)).rpartition(".")[2] not in ENTRIES.split():
                    yield module, node, what


def _taken(node):
    """Return (the name of the mapping as MAPPINGS writes it, the literal key) of an access to a mapping."""
    match node:
        case ast.Subscript(value=mapping, slice=ast.Constant(value=key)):
            return None, key  # the name of the mapping does not matter
        case ast.Call(func=ast.Attribute(value=mapping, attr=("get" | "pop" | "setdefault")), args=[first, *_]):
            name = ".".join(ast.unparse(mapping).split(".")[-2:])
            return name, first.value if isinstance(first, ast.Constant) else None
    return None, None


def a_class_has_its_name_alone(modules):
    """Reject a class or an alias with the name of another class of the room, except Session in backends."""
    homes, aliases = defaultdict(list), []
    for module, text in modules.items():
        for node in ast.walk(tree(text)):
            if isinstance(node, ast.ClassDef) and (node.name, room(module)) != ("Session", "backends"):
                homes[room(module), node.name].append((module, node))
        for node in tree(text).body:
            if isinstance(node, ast.Assign):
                aliases += [(module, each) for each in node.targets if isinstance(each, ast.Name)]
    for (_, name), several in homes.items():
        for module, node in several[1:]:
            yield module, node, f"{name} is a class of {several[0][0]}, too"
    for module, node in aliases:
        if (room(module), node.id) in homes:
            yield module, node, f"{node.id} is a class of {homes[room(module), node.id][0][0]}"


def analysis_reads_no_store(modules):
    """Reject imports of store in analysis, which works on results in memory."""
    for module, text in modules.items():
        if room(module) == "analysis":
            for node, other in rooms_imported(module, text):
                if other == "store":
                    yield module, node, "imports store"


def block_sizes_are_written_and_read_in_one_place(modules):
    """Reject code outside the module of BlockSize that joins numbers by "x" or splits a text at "x"."""
    for module, text in modules.items():
        if "class BlockSize" not in text:
            for node in ast.walk(tree(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    joins = node.func.attr == "join" and _is_x(node.func.value)
                    splits = node.func.attr in ("split", "partition") and any(map(_is_x, node.args))
                    if joins or splits:
                        yield module, node, ast.unparse(node)
                elif isinstance(node, ast.JoinedStr) and re.search(r"\}[x×]\{", ast.unparse(node)):
                    yield module, node, ast.unparse(node)


TOLD = {"reason", "remedy", "cause"}  # fields that people read
READING = {"startswith", "endswith", "partition", "split", "replace", "removeprefix", "find", "search", "match", "sub"}


def reasons_are_read_by_people_alone(modules):
    """Reject decisions by the text of a reason, remedy or cause. Code must use the field `outcome` instead."""
    for module, text in modules.items():
        for node in ast.walk(tree(text)):
            read = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READING:
                read = [node.func.value, *node.args]
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                read = [each for each in node.comparators if isinstance(node.left, ast.Constant)]
            if any(_is_told(each) for each in read):
                yield module, node, ast.unparse(node)


def _is_told(node):
    node = node.values[0] if isinstance(node, ast.BoolOp) else node
    return getattr(node, "attr", getattr(node, "id", None)) in TOLD


def _is_x(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip() in ("x", "×")


def one_module_asks_workers(modules):
    """Allow only measure.case_runner and verify.process to send requests to workers and verifiers.

    Reject names of requests without a type in messages.ANSWERS, too. Only the rooms measure and verify are checked.
    """
    callers = "measure.case_runner", "verify.process"
    for module, text in modules.items():
        for node in ast.walk(tree(text)) if room(module) in ("measure", "verify") else ():
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=("call" | "_ask" | "_call" | "_of")),
                    args=[ast.Constant(value=str(name)), *_],
                ):
                    if module not in callers or name not in ANSWERS:
                        yield module, node, ast.unparse(node)


@cache
def drawn_lines():
    """Return {room: number of its line in the drawing in docs/design.md, counted from the top}."""
    text = (PACKAGE.parents[1] / "docs" / "design.md").read_text("utf-8").partition("## The rooms of the package")[2]
    lines = ("    " + text.partition("\n\n    ")[2]).partition("\n\n")[0].splitlines()
    return {name: number for number, line in enumerate(lines) for name in line[:38].split()}


def rooms_import_what_stands_below(modules):
    """Reject imports of a room that is not below the importing room in the drawing of docs/design.md."""
    lines = drawn_lines()
    for module, text in modules.items():
        for node, other in rooms_imported(module, text):
            if other != room(module) and lines.get(other, 100) <= lines.get(room(module), -1):
                yield module, node, f"{room(module)} imports {other}, which is not below {room(module)}"


def modules_make_no_circle(modules):
    """Reject cycles of imports, including imports within functions.

    An import of a package's module does not count as an import of the package's __init__.py.
    """
    graph = {module: {} for module in modules}
    for module, text in modules.items():
        for node, name in imported(module, text):
            if (other := _module_of(name, modules)) not in (None, module):
                graph[module][other] = node
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]  # each imports the next
        yield circle[0], graph[circle[0]][circle[1]], " imports ".join(circle)


def _module_of(name, modules):
    """Return the module of the package that defines an imported name, or None for another package's name."""
    package, *parts = name.split(".")
    while package == "accelbench" and parts:
        for module in (".".join(parts), ".".join([*parts, "__init__"])):
            if module in modules:
                return module
        parts.pop()
    return None


def modules_are_short(modules):
    for module, text in modules.items():
        if text.count("\n") > MOST_LINES:
            yield module, tree(text), f"{text.count(chr(10))} lines"


def functions(modules):
    for module, text in modules.items():
        for node in ast.walk(tree(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield module, node


def functions_are_short(modules):
    for module, node in functions(modules):
        lines = node.end_lineno - node.lineno + 1
        if lines > MOST_FUNCTION_LINES:
            yield module, node, f"{node.name} has {lines} lines"


def positional(node):
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def parameters_are_few(modules):
    """Limit the number of parameters, except of commands, whose parameters are what users type."""
    for module, node in functions(modules):
        count = len(positional(node)) + len(node.args.kwonlyargs)
        if count > MOST_PARAMETERS and not _is_command(node):
            yield module, node, f"{node.name} has {count} parameters"


def parameters_are_named(modules):
    """Limit the number of parameters that can be passed by position, except of commands."""
    for module, node in functions(modules):
        if len(positional(node)) > MOST_POSITIONAL and not _is_command(node):
            yield module, node, f"{node.name} has {len(positional(node))} parameters without a name"


# {pattern of former words: modules that may use them, as names of Python's `ast` methods}
GONE = {
    r"unsettled|sittings?|bytes_held": (),
    r"visits?": ("discovery", "derive.rewriting"),
    r"quieten|faint|each way pays|python ways": (),
}


def words_of_before_are_gone(modules):
    """Reject former words of this project. The current ones are in docs/glossary.md."""
    for module, text in modules.items():
        for words, allowed in GONE.items():
            for match in re.finditer(rf"(?<![a-z])({words})(?![a-z])", text, re.IGNORECASE):
                if module not in allowed:
                    yield module, ast.Pass(lineno=text.count("\n", 0, match.start()) + 1), f"says {match[1]!r}"


NO_NAMES = ["found", "told", "wanted", "held", "own", "each", "seen", "said", "apart", "retold", "live", "kept"]


def names_are_nouns(modules):
    """Reject the words of NO_NAMES as names of variables, parameters, functions, classes and attributes.

    Modules of lectures.own may have fields with such a name, since these fields are keys of published files.
    """
    for module, text in modules.items():
        for node in ast.walk(tree(text)):
            name = _name_given(node)
            if name.strip("_").lower() in NO_NAMES and not module.startswith("lectures.own."):
                yield module, node, f"{name} is in NO_NAMES"


def _name_given(node):
    """Return the name that a node of a syntax tree gives to something, or ""."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Name | ast.Attribute):
        given = node.id if isinstance(node, ast.Name) else node.attr
        return given if isinstance(node.ctx, ast.Store) else ""
    return node.arg if isinstance(node, ast.arg) else ""


def _is_command(node):
    return any("command(" in ast.unparse(decorator) for decorator in node.decorator_list)


RULES = [
    holds_no_files,
    figures_see_types_and_analysis,
    pages_leave_each_other_alone,
    records_are_types,
    a_class_has_its_name_alone,
    analysis_reads_no_store,
    block_sizes_are_written_and_read_in_one_place,
    one_module_asks_workers,
    reasons_are_read_by_people_alone,
    words_of_before_are_gone,
    names_are_nouns,
    rooms_import_what_stands_below,
    modules_make_no_circle,
    modules_are_short,
    functions_are_short,
    parameters_are_few,
    parameters_are_named,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule):
    broken = [f"{module}:{getattr(node, 'lineno', 1)}: {what}" for module, node, what in rule(package())]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    ("rule", "modules"),
    [
        (holds_no_files, {"model.a": "from pathlib import Path"}),
        (holds_no_files, {"analysis.a": "def f():\n    import json"}),
        (figures_see_types_and_analysis, {"figures.a": "from accelbench.report import page"}),
        (figures_see_types_and_analysis, {"figures.kinds.a": "from ...store import files"}),
        (pages_leave_each_other_alone, {"compare.a": "from accelbench import report"}),
        (records_are_types, {"measure.a": 'record["seconds"]'}),
        (records_are_types, {"measure.a": 'record["devices"][0] = 1'}),
        (records_are_types, {"measure.a": 'record.get("seconds")'}),
        (records_are_types, {"measure.a": 'environment.pop("system_state", None)'}),
        (records_are_types, {"report.a": 'row.setdefault("seconds", 0)'}),
        (a_class_has_its_name_alone, {"model.a": "class Run: pass", "model.b": "class Run: pass"}),
        (a_class_has_its_name_alone, {"model.a": "class Run: pass", "model.b": "Run = dict[str, int]"}),
        (analysis_reads_no_store, {"analysis.a": "from accelbench.store.load import load_results"}),
        (block_sizes_are_written_and_read_in_one_place, {"report.a": '"x".join(map(str, extents))'}),
        (block_sizes_are_written_and_read_in_one_place, {"report.a": 'text.split("x")'}),
        (block_sizes_are_written_and_read_in_one_place, {"report.a": 'f"{width}x{height}"'}),
        (one_module_asks_workers, {"measure.a": 'client.call("sample", 3.0)'}),
        (one_module_asks_workers, {"measure.case_runner": 'self._ask("first")'}),
        (one_module_asks_workers, {"verify.process": 'self._of("tried", key)'}),
        (reasons_are_read_by_people_alone, {"decide.a": 'remedy.startswith("none")'}),
        (reasons_are_read_by_people_alone, {"decide.a": '"block size" in (record.reason or "")'}),
        (reasons_are_read_by_people_alone, {"decide.a": "re.search(pattern, case.record.reason)"}),
        (words_of_before_are_gone, {"analysis.a": "def is_unsettled(case): pass"}),
        (words_of_before_are_gone, {"machine.a": "class Visit: pass"}),
        (names_are_nouns, {"machine.a": "found = 1"}),
        (names_are_nouns, {"machine.a": "def f(told): pass"}),
        (names_are_nouns, {"machine.a": "def _own(): pass"}),
        (names_are_nouns, {"machine.a": "class A:\n    def f(self):\n        self._seen = 1"}),
        (
            rooms_import_what_stands_below,
            {"kernel.x": "def f():\n    import accelbench.cli.x"},
        ),
        (
            modules_make_no_circle,
            {
                "measure.a": "from accelbench.measure.b import f",
                "measure.b": "from accelbench.measure import c",
                "measure.c": "def f():\n    import accelbench.measure.a",
            },
        ),
        (
            modules_make_no_circle,
            {"backends.__init__": "from .a import f", "backends.a": "from accelbench.backends import g"},
        ),
        (modules_are_short, {"a": "\n" * (MOST_LINES + 1)}),
        (functions_are_short, {"a": "def f():\n" + "    pass\n" * MOST_FUNCTION_LINES}),
        (parameters_are_few, {"a": "def f(a, b, c, *, d, e, f, g): pass"}),
        (parameters_are_named, {"a": "class A:\n    def f(self, a, b, c, d): pass"}),
    ],
)
def test_rule_can_be_broken(rule, modules):
    assert list(rule(modules))
    assert not list(rule({"a": "def f(self, a, *, b): return a['b']" if rule is not records_are_types else "a[b]"}))


def test_no_room_grows():
    """No room has more statements than its limit in tests/statements.json."""
    limits, counts = json.loads(statements.LIMITS.read_text()), statements.count()
    assert not {name: (number, limits.get(name, 0)) for name, number in counts.items() if number > limits.get(name, 0)}


def test_statements_are_counted_without_docstrings():
    assert statements.count_text('"""A module."""\nclass A:\n    """A class."""\n    def f(self): return 1\n') == 3


def test_slowest_files_are_there():
    tests = project.ROOT / "tests"
    missing = [name for name in (tests / "slowest.txt").read_text().split() if not (tests / name).is_file()]
    assert not missing


def test_a_kernels_test_of_both_dtypes_is_part_of_make_test_in_one():
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    file = project.ROOT / "tests" / "kernels" / "test_compact.py"
    listed = subprocess.run([*command, file], capture_output=True, text=True, cwd=project.ROOT, check=True).stdout
    tests = [re.sub("float(32|64)", "dtype", line) for line in listed.splitlines() if "float" in line]
    assert len(tests) == len(set(tests)) > 10
    assert f"({len(tests)} deselected)" in listed


def test_every_room_stands_in_the_drawing_of_the_documentation():
    assert {room(module) for module in package() if not module.startswith("__")} == drawn_lines().keys()


# Rooms that discover, configure and check. Tables, pages and figures of the same results do not depend on these rooms.
# Therefore, rules that render results do not list them.
NOT_DRAWN = {"backends", "config", "discovery", "environments", "errors", "kernel", "kernels", "processes", "project"}
NOT_DRAWN |= {"toolchains"}


def rules_that_list_rooms():
    """Yield (rule, the words of its command, the rooms it lists) of each rule that renders results."""
    for path in sorted((project.ROOT / "workflow" / "rules").glob("*.smk")):
        for name, text in re.findall(r"^rule (\w+):\n((?:    .*\n|\n)+)", path.read_text("utf-8"), re.M):
            listed = re.search(r"digest_package\(([^)]*)\)", text)
            if listed and "measure/merge" not in listed[1]:
                yield name, re.search(r'job\("([a-z ]+?) ?["{]', text)[1], re.findall(r"\w+", listed[1])


def command_function(words):
    """Return (module, function) of the command that is called with these words."""
    for module, node in functions(package()):
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        group, _, name = f" {words}".rpartition(" ")
        named = f"{group.strip() or 'app'}.command('{name}')" in decorators
        if room(module) == "cli" and (named or (node.name == words and "app.command()" in decorators)):
            return module, node
    raise LookupError(words)


def modules_reached(module, node):
    """Return every module that a function imports, directly or through other modules."""
    texts, reached = package(), set()
    waiting = [name for _, name in imported(module, ast.unparse(node))]
    while waiting:
        parts = waiting.pop().removeprefix("accelbench.").split(".")
        names = [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
        new = {each for name in names for each in (name, f"{name}.__init__") if each in texts} - reached
        reached |= new
        waiting += [name for each in new for _, name in imported(each, texts[each]) if name.startswith("accelbench.")]
    return reached


@pytest.mark.parametrize(("rule", "words", "listed"), [*rules_that_list_rooms()], ids=lambda value: str(value)[:20])
def test_rules_rerun_when_a_room_changes_that_their_command_imports(rule, words, listed):
    rooms = {room(module) for module in modules_reached(*command_function(words))}
    assert {*listed, "model"} == rooms - NOT_DRAWN, rule


def test_texts_say_the_words_of_today():
    root, places = project.ROOT, ("README.md", "Makefile", "docs/*.md", "config/README.md", "workflow/report/*.rst")
    files = [*(file for place in places for file in root.glob(place)), *PACKAGE.rglob("*.jinja")]
    texts = {str(file.relative_to(root)): file.read_text("utf-8") for file in files}
    assert len(texts) > 20
    assert not [f"{text}:{node.lineno}: {what}" for text, node, what in words_of_before_are_gone(texts)]
