"""Tests that messages of errors are short, and one printable line."""

import pytest

from accelbench import errors
from accelbench.errors import InputError

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


def test_message_is_short():
    error = InputError("kernel.py", "blah \ud800" * 1_000_000, "Correct it")
    assert str(error).startswith("kernel.py: blah \\ud800")
    assert str(error).endswith(". Correct it")
    assert len(str(error)) < 1100


def test_message_is_one_printable_line():
    error = InputError("a\nb", "red \x1b[31m, backwards \u202e, lost \udcff", "Do\n   this")
    assert str(error) == "a b: red \\x1b[31m, backwards \\u202e, lost \\udcff. Do this"
    assert errors.one_line("ä – µ") == "ä – µ"
    assert errors.one_line("1\N{NARROW NO-BREAK SPACE}230\N{NO-BREAK SPACE}s") == "1 230 s"
