"""Chromium, where it is installed: a page is opened as people open it, a script of the test's looks at it from outside,
in the page that holds it in a frame, and what it finds comes back as JSON."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here: .ci/run installs it")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
    *("--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=20000"),
)
LEAF = re.compile(rb"/Type\s*/Page\b")  # of a PDF
HOLDER = """<!doctype html><meta charset="utf-8"><title>test</title><body style="margin:0">
<script>
const found = [], wait = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const open_ = (page, width, height) => new Promise((done) => {
  const frame = document.createElement("iframe");
  Object.assign(frame, { width, height, src: page, style: "border:0" });
  frame.addEventListener("load", () => done(frame));
  document.body.replaceChildren(frame);
});
const visit = async (page, width = 1440, height = 900) => {
  const frame = await open_(page, width, height);
  await wait();
  return frame;
};
(async () => {
  let result;
  try {
    result = await (async () => { %(script)s })();
  } catch (error) {
    result = { error: String(error.stack ?? error) };
  }
  const told = document.createElement("pre");
  told.id = "told";
  told.textContent = JSON.stringify(result);
  document.body.replaceChildren(told);
})();
</script>"""


def look(folder, script, dark=False):
    """What `script` returns, as the body of an async function in a page beside those in `folder`, and what the console
    was told. `visit(page, width, height)` opens a page there and gives its frame."""
    with tempfile.TemporaryDirectory() as scratch:
        holder = Path(scratch) / "holder.html"
        base = f'<base href="{Path(folder).resolve().as_uri()}/">'
        holder.write_text(HOLDER.replace("<body", f"{base}<body", 1) % {"script": script}, encoding="utf-8")
        themes = ["--blink-settings=preferredColorScheme=0"] if dark else []
        command = [CHROMIUM, *FLAGS, *themes, f"--user-data-dir={scratch}/profile", "--dump-dom", holder.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    result = json.loads(html.unescape(found[1]))
    assert not (isinstance(result, dict) and "error" in result), result["error"]
    return result, console


def leaves(page):
    """How many pages of paper a page takes."""
    with tempfile.TemporaryDirectory() as scratch:
        printed = Path(scratch) / "printed.pdf"
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={printed}", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert printed.is_file(), done.stderr[-2000:]
        return len(LEAF.findall(printed.read_bytes()))
