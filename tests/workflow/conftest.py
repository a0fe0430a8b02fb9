"""Fixtures of the tests of the workflow."""

import pytest
from place import KERNEL
from twice import write_config


@pytest.fixture
def workplace(tmp_path):
    """A folder that contains only a kernel `twice` and a configuration own.yaml."""
    folder = tmp_path / "my kernels" / "twice"
    folder.mkdir(parents=True)
    (folder / "kernel.py").write_text(KERNEL)
    (folder / "numpy_ufunc.py").write_text('"""As it is."""\ndef run(x, y):\n    y[:] = x + x\n')
    write_config(tmp_path)
    return tmp_path
