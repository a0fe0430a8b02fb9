"""What a name may be: of kernels, implementations, options and machines."""

import re

SCHEMA_VERSION = 2  # of result files
PROTOCOL_VERSION = 3  # raised by hand whenever measuring changes so that old samples no longer compare with new ones
OLDEST_PROTOCOL_VERSION = 3  # oldest version whose results are read
OLDER = "The last commit of accelbench that reads it is bf4db96b"  # remedy for an older schema or protocol
WORD = "[a-z][a-z0-9_]{0,99}"  # a name that is a folder's, a file's or a module's on every system
NAME = re.compile(rf"{WORD}\Z")
VERSION = "[a-z0-9.]{1,40}"  # what tells contestants of one library from each other: "0.67", "3.13t"
ENVIRONMENT = rf"[a-z0-9_]{{1,99}}(@{VERSION})?"  # a Python of a backend's own
LABEL = rf"{WORD}(@{VERSION})?"  # an implementation's name, and of a contestant the version
FILE = "[A-Za-z0-9_][A-Za-z0-9_.+-]*"  # what no tool takes for an option or another folder
FILE_NAME, PATH = f"^{FILE}$", f"^{FILE}(/{FILE})*$"
MACHINE_NAME = r"^[a-z][a-z0-9_-]{0,63}$"  # what results of a machine are kept under
