"""The verifier: python -m accelbench.verify SOCKET PROGRESS COORDINATOR, started by those who compare results.

In the file PROGRESS stands the function of a kernel.py that runs, lest nobody know which one ended this process.
"""

import os
import socket
import sys

from accelbench.errors import InputError, WrongResult
from accelbench.kernels import catalog
from accelbench.kernels.folder import CALL
from accelbench.processes import keeper
from accelbench.rpc.channel import Channel
from accelbench.rpc.truth import KINDS, TruthArrays
from accelbench.verify.examination import examine
from accelbench.verify.truth import Truth


class Messages:
    """A method for each request of rpc.truth, of its name."""

    def __init__(self):
        self._truths = {}

    def begin(self, request):
        self._keep_bytes, self._secret = request.keep_bytes, request.secret

    def examine(self, request):
        examine(request.folder, request.options, request.sizes)

    def give(self, request):
        return self._truth(request.key).message()

    def change(self, request):
        return self._truth(request.key).change(self._secret)

    def show(self, request):
        truth = self._truth(request.key)
        expected = {o.name: expected for o, expected in zip(truth.outputs, truth.right[0], strict=True)}
        return TruthArrays(truth.inputs, expected)

    def compare(self, request):
        truth = self._truth(request.key)
        if request.changed:
            truth.change(self._secret)
        return truth.compare(request.results, request.again, request.changed)

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
    descriptor, progress = map(int, sys.argv[1:3])
    for inherited in (descriptor, progress):
        os.set_inheritable(inherited, False)
    channel, messages, process = Channel(socket.socket(fileno=descriptor), kinds=KINDS), Messages(), os.getpid()

    def note(event, arguments):
        if event == CALL and os.getpid() == process:  # not what a kernel.py has forked
            os.pwrite(progress, arguments[0].encode().ljust(64), 0)

    sys.addaudithook(note)
    channel.serve(lambda request: _answer(messages, request))


def _answer(messages, request):
    """("ok", what a method returns), or ("failed", (outcome, reason, ...))."""
    try:
        return "ok", getattr(messages, request.name)(request)
    except WrongResult as error:
        return "failed", ("wrong_result", str(error))
    except InputError as error:
        return "failed", ("error", error.where, error.problem, error.remedy)
    except MemoryError:
        return "failed", ("out_of_memory", "")


if __name__ == "__main__":
    main()
