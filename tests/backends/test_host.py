"""Tests of the session of the host."""

import sys

import pytest

from accelbench.backends import host


@pytest.mark.parametrize("state", [True, False])
def test_a_python_that_can_be_without_the_lock_tells_its_state(monkeypatch, state):
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: state, raising=False)
    assert host.Session("python", None).settings()["gil"] is state


def test_an_older_python_tells_nothing(monkeypatch):
    monkeypatch.delattr(sys, "_is_gil_enabled", raising=False)
    assert "gil" not in host.Session("python", None).settings()
