"""What the tests of slides share."""

import pytest
import synthetic_results as made


@pytest.fixture
def home(tmp_path):
    """A results folder with a machine and the metadata of vector_sum, as `made` invents them."""
    return made.write_metadata(tmp_path / "results" / "synthetic")
