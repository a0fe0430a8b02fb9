"""Patterns of names: of kernels, implementations, options, machines and files."""

import re

SCHEMA_VERSION = 2  # of result files
PROTOCOL_VERSION = 3  # raised by hand if old samples are not comparable with new ones any more
OLDEST_PROTOCOL_VERSION = 3  # oldest version whose results are read
OLDER = "The last commit of accelbench that reads it is bf4db96b"  # remedy for an older schema or protocol
WORD = "[a-z][a-z0-9_]{0,99}"  # name of a folder, file or module on every system
NAME = re.compile(rf"{WORD}\Z")
VERSION = "[a-z0-9.]{1,40}"  # version of a contestant: "0.67", "3.13t"
ENVIRONMENT = rf"[a-z0-9_]{{1,99}}(@{VERSION})?"  # separate Python for backends
LABEL = rf"{WORD}(@{VERSION})?"  # name of an implementation, with the version of a contestant
FILE = "[A-Za-z0-9_][A-Za-z0-9_.+-]*"  # name that no tool takes for an option or another folder
FILE_NAME, PATH = f"^{FILE}$", f"^{FILE}(/{FILE})*$"
MACHINE_NAME = r"^[a-z][a-z0-9_-]{0,63}$"  # name of a machine's folder
