"""What the tests of lectures share."""

import pretended_results.cpu
import pytest


@pytest.fixture
def home(tmp_path):
    """A results folder with a machine and the metadata of vector_sum, as `made` invents them."""
    return pretended_results.cpu.write_metadata(tmp_path / "results" / "synthetic")
