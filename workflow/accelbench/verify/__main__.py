"""The verifier: python -m accelbench.verify SOCKET PROGRESS COORDINATOR.

SOCKET and PROGRESS are file descriptors, COORDINATOR is a process id. The verifier writes the name of each function of
a kernel.py to the file PROGRESS before the function runs. If the function ends the verifier, the caller reads its name.
"""

import os
import socket
import sys

from accelbench.errors import InputError, WrongResult
from accelbench.kernels import catalog
from accelbench.kernels.folder import CALL
from accelbench.processes import keeper
from accelbench.rpc.channel import Channel
from accelbench.rpc.messages import KINDS
from accelbench.verify.examination import examine
from accelbench.verify.truth import Truth


class VerifierMethods:
    """Methods that the coordinator calls; rpc.messages.ANSWERS has the types of their answers."""

    def __init__(self):
        self._truths = {}

    def begin(self, keep_bytes, secret):
        """Set the maximum size of cached inputs and references in bytes, and `secret`, a seed for changes of inputs."""
        self._keep_bytes, self._secret = keep_bytes, secret

    def examine(self, folder, options, sizes):
        """Try the functions of the kernel.py in `folder`, as examination.examine does."""
        examine(folder, options, sizes)

    def give(self, key):
        """Return the Inputs message, from which a worker memory-maps the inputs."""
        return self._truth(key).message()

    def change(self, key):
        """Return the InputChange for the second check of results, which uses changed inputs."""
        return self._truth(key).change(self._secret)

    def show(self, key):
        """Return ({name: input}, {name: reference result})."""
        truth = self._truth(key)
        return truth.inputs, {o.name: expected for o, expected in zip(truth.outputs, truth.right[0], strict=True)}

    def compare(self, key, results, *, again, changed):
        """Return the ErrorMetrics of results, {name: array}.

        again    results of a second call, or None
        changed  whether the results were computed from the changed inputs
        """
        truth = self._truth(key)
        if changed:
            truth.change(self._secret)
        return truth.compare(results, again, changed)

    def _truth(self, key):
        name = repr(key)
        truth = self._truths.pop(name, None) or Truth(catalog.load_specification(key.folder), key)
        self._truths[name] = truth  # moved to the end, so that the least recently used Truth is first
        used_bytes = sum(cached.nbytes for cached in self._truths.values())
        for oldest in list(self._truths)[:-1]:
            if used_bytes > self._keep_bytes:
                used_bytes -= self._truths[oldest].nbytes
                self._truths.pop(oldest).close()
        return truth


def main():
    """Serve calls until the coordinator closes its end of the socket."""
    keeper.hide()
    descriptor, progress = map(int, sys.argv[1:3])
    for inherited in (descriptor, progress):
        os.set_inheritable(inherited, False)
    channel, messages, process = Channel(socket.socket(fileno=descriptor), kinds=KINDS), VerifierMethods(), os.getpid()

    def note(event, arguments):
        if event == CALL and os.getpid() == process:  # not in processes that a kernel.py forked
            os.pwrite(progress, arguments[0].encode().ljust(64), 0)

    sys.addaudithook(note)
    channel.serve(lambda name, arguments: getattr(messages, name)(**arguments), refusal)


def refusal(error):
    """Return arguments of rpc.process.Failed for an expected exception; raise any other exception again."""
    match error:
        case WrongResult():
            return "wrong_result", str(error)
        case InputError():
            return "error", error.problem, error.remedy, error.where
        case MemoryError():
            return "out_of_memory", ""
    raise error


if __name__ == "__main__":
    main()
