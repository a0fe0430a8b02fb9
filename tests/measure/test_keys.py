"""Tests that keys of journal entries depend on the measuring code, but not on its formatting."""

import ast
import re
from pathlib import Path

import numpy
import pytest
from bench import BASELINE

from accelbench import backends, discovery, toolchains
from accelbench.kernels import catalog
from accelbench.measure.keys import code_digest

MODULES = sorted({Path(m.__file__) for m in (*backends.modules().values(), *toolchains.modules().values())})


class Edited(ast.NodeTransformer):
    """Transformer that changes the first integer constant of a module."""

    done = False

    def visit_Constant(self, node):
        if not self.done and type(node.value) is int:
            self.done = True
            return ast.Constant(node.value + 1)
        return node


def respelled(text):
    """Return the program `text` with another layout, other docstrings and other comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body[0].value.value = "Other words."
    return "# A comment.\n" + ast.unparse(tree)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_spelling_and_place_of_a_module_change_no_key_and_an_edit_does(module, tmp_path):
    """A module's digest depends on its code, but not on layout, comments, docstrings, folder or parent package."""
    package = tmp_path / "another" / module.parent.name
    package.mkdir(parents=True)
    for file in module.parent.glob("*.py"):
        text = respelled(file.read_text())
        (package / file.name).write_text(re.sub(r"(?m)^( *(?:from|import) )accelbench\b", r"\1moved.core", text))
    copy = package / module.name
    assert code_digest(copy) == code_digest(module)
    edit = Edited()
    copy.write_text(ast.unparse(edit.visit(ast.parse(copy.read_text()))))
    code_digest.cache_clear()
    assert (code_digest(copy) != code_digest(module)) is edit.done


def test_a_module_beside_it_counts_where_it_is_imported(tmp_path):
    package = tmp_path / "backends"
    package.mkdir()
    texts = {
        "__init__": "POISON = 1\n",
        "host": "from accelbench.backends import POISON\nfrom . import clock\n",
        "clock": "TICK = 1\n",
        "own": "from accelbench.backends import host\ndef timers(call): return {}\n",
        "other": "LIMIT = 1\n",
    }

    def digest(**changed):
        for name, text in {**texts, **changed}.items():
            (package / f"{name}.py").write_text(text)
        code_digest.cache_clear()
        return code_digest(package / "own.py")

    before = digest()
    assert digest(other="LIMIT = 2\n") == before
    for name in ("own", "host", "clock", "__init__"):
        assert digest(**{name: texts[name] + "def flush_cache(): pass\n"}) != before, name


def test_an_inherited_variable_that_changed_makes_its_cases_measured_again(bench, monkeypatch):
    bench.measure()
    before = len(bench.entries())
    bench.measure()
    assert len(bench.entries()) == before
    monkeypatch.setenv("CUDA_MODULE_LOADING", "EAGER")
    bench.measure()
    assert len(bench.entries()) == 2 * before
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "AVX2")  # workers do not inherit this variable
    bench.measure()
    assert len(bench.entries()) == 2 * before


def test_an_edited_backend_makes_its_cases_measured_again(bench, monkeypatch, capfd):
    from accelbench.measure import keys

    bench.measure()
    before = len(bench.entries())
    assert "measured again" not in capfd.readouterr().err
    monkeypatch.setattr(keys, "code_digest", lambda file: "edited")
    bench.measure()
    assert len(bench.entries()) == before + 1
    assert (
        "doubling: 1 of 1 cases are measured again: sources, settings or versions have changed"
        in capfd.readouterr().err
    )


@pytest.mark.parametrize("name", ["data.npy", "table.csv", "_helper.py", "data/more.bin"])
def test_a_file_that_kernel_py_may_read_is_in_its_key(bench, name):
    file = bench.folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"one")
    bench.measure()
    before = len(bench.entries())
    file.write_bytes(b"two")
    catalog._load.cache_clear()
    bench.measure()
    assert len(bench.entries()) == 2 * before


LEFT = [".hidden", "notes.txt~", "kernel.py.orig", "#kernel.py#", "__pycache__/a.pyc"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LEFT, "numpy_b.py"])
def test_leftovers_and_further_implementations_measure_nothing_again(bench, name):
    bench.measure()
    before = [entry["key"] for entry in bench.entries()]
    file = bench.folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(BASELINE)
    catalog._load.cache_clear()
    bench.measure()
    assert [entry["key"] for entry in bench.entries()][: len(before)] == before
    assert (name == "numpy_b.py") == (len(bench.entries()) > len(before))


def test_a_module_from_elsewhere_is_in_the_key_of_what_imports_it(tmp_path, monkeypatch):
    module, implementation = tmp_path / "elsewhere.py", tmp_path / "numpy_x.py"
    implementation.write_text("import numpy as np\n\n\ndef run(x, y):\n    from elsewhere import f\n")
    monkeypatch.syspath_prepend(tmp_path)
    told = []
    for text in ("f = 1\n", "f = 2\n"):
        module.write_text(text)
        discovery._module_version.cache_clear()
        told.append(discovery.imported_versions(implementation))
    assert told[0]["numpy"] == told[1]["numpy"] == numpy.__version__
    assert told[0]["elsewhere"] != told[1]["elsewhere"]
