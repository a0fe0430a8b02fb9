"""Patterns of names: of kernels, implementations, options, machines and files."""

import re

SCHEMA_VERSION = 2  # Version of result files
PROTOCOL_VERSION = 3  # Version of the protocol. Increase it if new samples are not comparable with old samples
OLDEST_PROTOCOL_VERSION = 3  # Oldest version whose results are read
OLDER = "The last commit of accelbench that reads it is bf4db96b"  # Remedy in messages on an old schema or protocol
WORD = "[a-z][a-z0-9_]{0,99}"  # Name of a folder, file or module, of characters that every system allows
NAME = re.compile(rf"{WORD}\Z")
VERSION = "[a-z0-9.]{1,40}"  # Version of a library or Python ("0.67", "3.13t") or label of a C compiler ("clang")
ENVIRONMENT = rf"[a-z0-9_]{{1,99}}(@{VERSION})?"  # Name of a separate Python for backends
LABEL = rf"{WORD}(@{VERSION})?"  # Name of an implementation, with @VERSION if versions or compilers are compared
FILE = "[A-Za-z0-9_][A-Za-z0-9_.+-]*"  # File name that no tool mistakes for an option or a path
FILE_NAME, PATH = f"^{FILE}$", f"^{FILE}(/{FILE})*$"
MACHINE_NAME = r"^[a-z][a-z0-9_-]{0,63}$"  # Name of a machine's folder
