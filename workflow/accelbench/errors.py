"""Exceptions with messages for the user, and functions that make texts safe to print."""

import os
import re
import sys

NOTICES = "ACCELBENCH_NOTICES"  # Environment variable with the notices that were printed, one per line
LONGEST = 1000  # Maximum length of a message of another program, in characters


class InputError(Exception):
    """Error about an input (configuration, kernel, result file, argument) that cannot be used.

    `where` names the file and key, `problem` says what is wrong, and `remedy` what to do next. The command line prints
    all three as one message on one line, without a traceback, and exits with status 2.
    """

    def __init__(self, where, problem, remedy):
        super().__init__(one_line(f"{where}: {brief(problem)}. {remedy}"))
        self.where, self.problem, self.remedy = str(where), problem, remedy


class Hindrance(Exception):
    """Error about an action that is impossible on this machine.

    remedy   command or change that helps; "" if none is known
    outcome  outcome of a case for which this exception is raised
    cause    part of the message that similar cases share; "" if they share the whole message
    """

    def __init__(self, problem, remedy="", *, outcome="error", cause=""):
        super().__init__(f"{problem}: {remedy}" if remedy else problem)
        self.remedy, self.outcome, self.cause = remedy, outcome, cause


class WrongResult(Exception):
    """Error about a wrong result of an implementation. The message describes the difference."""


# Control characters, bidirectional and invisible characters, and surrogates
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def notice(text):
    """Print a notice on standard error, only once in this process and the processes that it starts."""
    line = one_line(text)
    printed = os.environ.get(NOTICES, "").splitlines()
    if line not in printed:
        os.environ[NOTICES] = "\n".join([*printed, line])
        print(line, file=sys.stderr)


def printable(text):
    """Return a text with escapes in place of control characters and invisible characters."""
    return UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def with_texts(value, change):
    """Return a JSON value with every text, including keys, replaced by change(text)."""
    if isinstance(value, dict):
        return {change(key): with_texts(content, change) for key, content in value.items()}
    if isinstance(value, list):
        return [with_texts(content, change) for content in value]
    return change(value) if isinstance(value, str) else value


def one_line(text):
    """Return a text on one line, with plain spaces, and with escapes in place of unprintable characters."""
    joined = " ".join(line.strip() for line in str(text).translate({0xA0: " ", 0x202F: " "}).splitlines())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in joined)


def brief(text):
    """Return `one_line` of a text of any length, cut to LONGEST characters."""
    line = one_line(str(text)[: 2 * LONGEST])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
