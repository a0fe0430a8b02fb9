"""Generated code of artifacts: assembly of shared libraries, PTX of CUDA sources."""

import shutil
import subprocess
from pathlib import Path

from accelbench.errors import InputError

# {ending of an artifact: command that prints its code}
READERS = {
    ".so": ("objdump", "--disassemble", "--section=.text", "--demangle", "--no-show-raw-insn"),
    ".fatbin": ("cuobjdump", "--dump-ptx"),
}
PACKAGES = {"objdump": "binutils", "cuobjdump": "the CUDA toolkit"}


def listing(path) -> str | None:
    """Return an artifact's generated code; None for an unknown kind of file.

    Raise InputError if the command that prints the code is missing or fails.
    """
    path = Path(path)
    if path.suffix == ".cubins":
        return path.with_suffix(".ptx").read_text(encoding="utf-8")
    if path.suffix not in READERS:
        return None
    program, *options = READERS[path.suffix]
    if shutil.which(program) is None:
        raise InputError(path.name, f"cannot be read: {program} is not installed", f"Install {PACKAGES[program]}")
    done = subprocess.run([program, *options, path], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise InputError(path.name, f"{program} ended with status {done.returncode}", done.stderr.strip())
    return done.stdout
