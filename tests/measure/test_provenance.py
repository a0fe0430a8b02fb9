"""Tests of the commit and the state of the source, which a run records."""

import subprocess

import pytest

from accelbench.measure import provenance


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True)


def test_a_checkout_is_dirty_by_changed_files_and_new_sources_but_not_by_a_configuration(tmp_path):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "old.py").write_text("1")
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    clean = provenance.commit(tmp_path)
    assert len(clean["commit"]) == 40
    assert clean["dirty"] is False
    (tmp_path / "own.yaml").write_text("kernels: [cube]")
    assert provenance.commit(tmp_path) == clean
    (tmp_path / "kernels" / "new.py").write_text("2")
    assert provenance.commit(tmp_path) == clean | {"dirty": True}
    (tmp_path / "kernels" / "new.py").unlink()
    (tmp_path / "kernels" / "old.py").write_text("3")
    assert provenance.commit(tmp_path) == clean | {"dirty": True}


def test_no_checkout_has_no_commit(tmp_path):
    assert provenance.commit(tmp_path) == {"commit": None, "dirty": None}


def test_a_checkout_of_another_user_is_one_note_with_the_command_that_helps(tmp_path, monkeypatch, capfd):
    folder = tmp_path / "a folder"
    folder.mkdir()
    git(folder, "init")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("ACCELBENCH_TOLD", "")
    for _ in range(2):
        assert provenance.commit(folder) == {"commit": None, "dirty": None}
    (line,) = capfd.readouterr().err.splitlines()
    assert line.endswith(f"Run: git config --global --add safe.directory '{folder}'")


@pytest.mark.processes
def test_a_git_that_hangs_or_is_missing_is_no_commit(tmp_path, monkeypatch):
    script = tmp_path / "git"
    script.write_text("#!/bin/sh\nsleep 60\n")
    script.chmod(0o755)
    monkeypatch.setattr(provenance, "GIT_S", 0.2)
    for path in (str(tmp_path), "/nowhere"):
        monkeypatch.setenv("PATH", f"{path}:/usr/bin:/bin" if path != "/nowhere" else path)
        assert provenance.commit(tmp_path) == {"commit": None, "dirty": None}
