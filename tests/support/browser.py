"""Run a test's JavaScript on pages in Chromium, and return the script's result."""

import atexit
import fcntl
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: .ci/run installs it")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
    "--allow-file-access-from-files",
)
WAIT_S = 120  # timeout of an answer, in seconds
CONSOLE = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
LEAF = re.compile(rb"/Type\s*/Page\b")  # start of a page in a PDF file
HOLDER = """<!doctype html><meta charset="utf-8"><title>test</title><base href="%s/"><body style="margin:0"></body>
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
</script>"""


def look(folder, script, dark=False):
    """Return the result of `script` and the messages of the console.

    `script` is the body of an async function in a page whose links are relative to `folder`. The function may call
    visit(page, width, height), which opens a page in a frame and returns the frame.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as holder:
        holder.write(HOLDER % Path(folder).resolve().as_uri())
        holder.flush()
        return _browser().look(Path(holder.name).as_uri(), script, dark)


def leaves(page, *, scripts=True):
    """Return the number of sheets that a page takes when it is printed, with or without its scripts."""
    with tempfile.TemporaryDirectory() as scratch:
        printed = Path(scratch) / "printed.pdf"
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={printed}"]
        if not scripts:
            text, page = page.read_text(encoding="utf-8"), Path(scratch) / "plain.html"
            page.write_text(SCRIPT.sub("", text), encoding="utf-8")
        command.append(page.as_uri())
        done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, check=False)
        assert printed.is_file(), done.stderr[-2000:]
        return len(LEAF.findall(printed.read_bytes()))


@cache
def _browser():
    """Return this process's browser. The browser starts once, as a start takes longer than most calls of `look`."""
    browser = Browser()
    atexit.register(browser.close)
    return browser


class Browser:
    """A Chromium that is controlled by messages of its DevTools protocol. A zero byte ends each message."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, ours = os.pipe(), os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs[0], ours[1])]
        self.process = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=lambda: [os.dup2(end, number) for number, end in enumerate(ends, start=3)],
        )
        for end in (theirs[0], ours[1], *ends):
            os.close(end)
        self.to, self.back = theirs[1], ours[0]
        self.rest, self.number, self.told = b"", 0, []

    def look(self, page, script, dark):
        """Open the address `page` in a separate profile, and run `script`. Return what the function `look` returns."""
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            self.ask(f"{domain}.enable", session)
        if dark:
            features = [{"name": "prefers-color-scheme", "value": "dark"}]
            self.ask("Emulation.setEmulatedMedia", session, features=features)
        self.told.clear()
        self.ask("Page.navigate", session, url=page)
        self.wait_for("Page.loadEventFired")
        answer = self.ask(
            "Runtime.evaluate",
            session,
            expression=f"(async () => {{ {script} }})()",
            awaitPromise=True,
            returnByValue=True,
        )
        console = [each for each in self.told if each["method"] in CONSOLE]
        self.ask("Target.disposeBrowserContext", browserContextId=context)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value"), console

    def ask(self, method, session=None, **parameters):
        """Send a message and return the browser's answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        os.write(self.to, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while (answer := self._next()).get("id") != self.number:
            self.told.append(answer)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def wait_for(self, method):
        """Wait until the browser has reported the event `method`."""
        while not any(each["method"] == method for each in self.told):
            self.told.append(self._next())

    def close(self):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def _next(self):
        while b"\0" not in self.rest:
            assert select.select([self.back], [], [], WAIT_S)[0], "the browser does not answer"
            more = os.read(self.back, 1 << 20)
            assert more, "the browser has ended"
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)
