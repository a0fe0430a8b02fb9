"""The verifier: python -m accelbench.verify SOCKET PROGRESS, started by whoever asks implementations for results.

In the file PROGRESS stands the function of a kernel.py that runs, lest nobody know which one ended this process.
"""

import contextlib
import os
import socket
import sys

from accelbench.errors import InputError, WrongResult
from accelbench.kernels import catalog
from accelbench.kernels.folder import CALL
from accelbench.processes import keeper
from accelbench.verify.examination import examine
from accelbench.verify.protocol import QUESTIONS, TruthArrays
from accelbench.verify.truth import Truth
from accelbench.worker.channel import Channel


class Messages:
    """A method for each question of verify.protocol, of its name."""

    def __init__(self):
        self._truths = {}

    def begin(self, asked):
        self._keep_bytes, self._secret = asked.keep_bytes, asked.secret

    def examine(self, asked):
        examine(asked.folder, asked.options, asked.sizes)

    def give(self, asked):
        return self._truth(asked.key).message()

    def change(self, asked):
        return self._truth(asked.key).change(self._secret)

    def show(self, asked):
        truth = self._truth(asked.key)
        expected = {o.name: expected for o, expected in zip(truth.outputs, truth.right[0], strict=True)}
        return TruthArrays(truth.inputs, expected)

    def compare(self, asked):
        truth = self._truth(asked.key)
        if asked.changed:
            truth.change(self._secret)
        return truth.compare(asked.results, asked.again, asked.changed)

    def _truth(self, key):
        name = repr(key)
        truth = self._truths.pop(name, None) or Truth(catalog.load_specification(key.folder), key)
        self._truths[name] = truth  # last, as the one used last
        kept = sum(each.nbytes for each in self._truths.values())
        for oldest in list(self._truths)[:-1]:
            if kept > self._keep_bytes:
                kept -= self._truths[oldest].nbytes
                self._truths.pop(oldest).close()
        return truth


def main():
    """Answer until the other end is closed."""
    keeper.hide()
    descriptor, progress = map(int, sys.argv[1:])
    for inherited in (descriptor, progress):
        os.set_inheritable(inherited, False)
    channel, messages, process = Channel(socket.socket(fileno=descriptor)), Messages(), os.getpid()

    def note(event, arguments):
        if event == CALL and os.getpid() == process:  # not what a kernel.py has forked
            os.pwrite(progress, arguments[0].encode().ljust(64), 0)

    sys.addaudithook(note)
    while True:
        try:
            number, (name, fields) = channel.receive(buffer_bytes=sys.maxsize)
        except (EOFError, ConnectionResetError):  # it may have been killed before it read an answer
            return
        answer = _answer(messages, QUESTIONS[name].read(fields))
        if os.getpid() != process:
            os._exit(1)  # a copy that a kernel.py made of this process, and let return
        with contextlib.suppress(ConnectionError):
            channel.send(number, answer)


def _answer(messages, question):
    """("ok", what a method returns), or what is wrong and its words."""
    try:
        return "ok", getattr(messages, question.name)(question)
    except WrongResult as error:
        return "wrong_result", [str(error)]
    except InputError as error:
        return "input", [error.where, error.problem, error.remedy]
    except MemoryError:
        return "out_of_memory", []


if __name__ == "__main__":
    main()
