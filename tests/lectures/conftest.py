"""Fixtures of the tests of lectures."""

import pretended_results.cpu
import pytest


@pytest.fixture
def home(tmp_path):
    """Return a results folder with an invented machine and the metadata of vector_sum."""
    return pretended_results.cpu.write_metadata(tmp_path / "results" / "synthetic")
