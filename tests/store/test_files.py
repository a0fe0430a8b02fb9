"""Tests of writing files: links, pipes, and failures."""

import os
import subprocess
import sys

import pytest

from accelbench import project
from accelbench.cli import app
from accelbench.store import files

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def test_links_are_followed_and_pipes_written_to(tmp_path):
    target, link, pipe = tmp_path / "there" / "table.csv", tmp_path / "link.csv", tmp_path / "pipe"
    target.parent.mkdir()
    target.write_text("before")
    link.symlink_to(target)
    files.write(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.write(pipe, "after")
    assert os.read(reader, 100) == b"after"
    os.close(reader)
    assert pipe.is_fifo()


def test_place_that_takes_no_files_is_one_error():
    with pytest.raises(OSError, match="/proc/here") as caught:
        files.write("/proc/here", "text")
    assert caught.value.errno in app.REFUSALS


LIMITED = """
import errno, resource, sys
from pathlib import Path
from accelbench.store import files
path = Path(sys.argv[1])
before = path.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10,) * 2)
for write in (lambda: files.append_lines(path, ["x" * 100]), lambda: files.write(path, before + b"x" * 100)):
    try:
        write()
    except OSError as error:
        assert error.errno == errno.EFBIG, error
    else:
        sys.exit("nothing was refused")
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
"""


def test_write_that_fails_halfway_leaves_the_old_file(tmp_path):
    path = tmp_path / "twice.jsonl"
    path.write_bytes(b'"first"\n')
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    done = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
