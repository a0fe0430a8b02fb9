"""The notebook for hosted machines: it is valid, has no results, and names existing files."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import nbformat
import pytest
from browser import look, needs_chromium

from accelbench import project

PATH = project.ROOT / "notebooks" / "first-look.ipynb"


@pytest.fixture(scope="module")
def notebook():
    found = nbformat.read(PATH, nbformat.NO_CONVERT)
    nbformat.validate(found)
    return found


def test_it_is_committed_without_results(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert not any(cell.outputs or cell.execution_count for cell in code)


def test_what_it_names_is_there(notebook):
    text = "\n".join(cell.source for cell in notebook.cells)
    targets = set(re.findall(r"^([a-z-]+):", (project.ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"(?:!|`)make ([a-z-]+)", text)) <= targets
    for path in re.findall(r"CONFIG=(\S+)", text):
        assert (project.ROOT / path).is_file()


def test_pictures_are_drawn_whatever_a_notebook_makes_of_matplotlib():
    """Pictures are drawn even if a notebook sets MPLBACKEND to a backend that accelbench's environment lacks."""
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow"), "MPLBACKEND": "module://no_such.backend"}
    words = [sys.executable, "-c", "import accelbench.__main__, matplotlib; print(matplotlib.get_backend())"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == ("agg\n", 0), done.stderr


@pytest.mark.parametrize(("address", "cloned"), [("", False), ("https://git.example.org/accelbench", True)])
def test_outside_a_checkout_it_says_what_to_set(notebook, tmp_path, monkeypatch, address, cloned):
    """The test replaces the notebook's shell commands by calls that record the commands."""
    monkeypatch.chdir(tmp_path)
    (cell,) = [cell.source for cell in notebook.cells if "git clone" in cell.source]
    cell = cell.replace('REPOSITORY = ""', f"REPOSITORY = {address!r}")
    done = []
    lines = re.sub(r"^( *)[!%](.*)$", r"\1done.append('\2')", cell, flags=re.M)
    with contextlib.nullcontext() if cloned else pytest.raises(SystemExit, match="set REPOSITORY above to the address"):
        exec(lines, {"done": done})
    assert any(line.startswith("git clone") for line in done) == cloned


@pytest.mark.processes
@needs_chromium
def test_form_of_the_report_works_in_the_frame(notebook, tmp_path, monkeypatch):
    """The report's form works in the notebook's frame, whose address about:srcdoc contains the form's state."""
    (tmp_path / "reports").mkdir()
    shutil.copytree(project.ROOT / "reports" / "examples" / "cpu", tmp_path / "reports" / "local")
    monkeypatch.chdir(tmp_path)
    display = types.ModuleType("IPython.display")
    display.HTML = (tmp_path / "shown.html").write_text
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    (cell,) = [cell.source for cell in notebook.cells if "srcdoc" in cell.source]
    exec(cell, {"Path": Path})
    asked = """
      const frame = (await visit("shown.html")).contentDocument.querySelector("iframe");
      await wait(500);
      const page = frame.contentDocument, kernel = page.getElementById("ask-kernel");
      kernel.value = [...kernel.options].map(({ value }) => value).find((value) => value !== kernel.value);
      kernel.dispatchEvent(new frame.contentWindow.Event("input"));
      await wait();
      return [frame.contentWindow.location.href, page.querySelector('a[href^="#"]').href, kernel.value];
    """
    (address, link, kernel), told = look(tmp_path, asked)
    assert address.startswith(f"about:srcdoc#kernel={kernel}&")
    assert link.startswith("about:srcdoc#")
    assert not told


@pytest.mark.slow
def test_it_runs_from_a_bare_checkout_to_a_bundle(notebook, tmp_path):
    """The notebook installs all packages, which takes minutes, a network connection and 2 GB."""
    client = pytest.importorskip("nbclient", reason="pip install nbclient ipykernel")
    copy = tmp_path / "checkout"
    copied = subprocess.run(["git", "-C", project.ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout
    for name in copied.splitlines():
        if not name.startswith(("reports/", "tests/")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(project.ROOT / name, copy / name, follow_symlinks=False)
    client.NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(copy / "notebooks")}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("accelbench" in output.get("data", {}).get("text/html", "") for output in shown)
    assert "wrote local.zip, " in "".join(output.get("text", "") for output in shown)
    checked = ["sha256sum", "--check", "--quiet", "manifest-sha256.txt"]
    assert subprocess.run(checked, cwd=copy / "local-bundle").returncode == 0
