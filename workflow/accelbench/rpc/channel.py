"""Frames between processes: JSON and raw buffers over a socket, without pickle.

A frame is a header, the JSON text and the buffers. The header has magic bytes, the sender's process id, the number of
the request, and the lengths of the JSON and of the buffers. In the JSON, {"__buffer__": [offset, dtype, shape]} stands
for an array and {"__file__": n} for an open file that came with the frame. A dataclass becomes a JSON object with the
fields of the dataclass. The value of "__kind__" is the name of the dataclass. An answer repeats the number of its
request. The caller does not trust answers. It reads the header first, and refuses an answer that is late or too large,
or that has an unexpected sender or number.
"""

import contextlib
import dataclasses
import json
import os
import socket
import struct
import sys
import time

import numpy as np

HEADER = struct.Struct("!8sIQQQ")
MARK = b"accelb\r\n"
LARGEST_JSON = 64 << 20  # Maximum size of the JSON text, in bytes
STAND_IN, FILE, KIND = "__buffer__", "__file__", "__kind__"
NUMERIC = "biufc"  # Kinds (numpy.dtype.kind) of arrays that can be sent
# Exceptions that json and NumPy raise for malformed JSON. RecursionError means that the JSON is nested too deeply.
BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError, MemoryError)


class Malformed(Exception):
    """Error raised if anything except the expected frame arrives. The error message describes the unexpected data."""


@dataclasses.dataclass(frozen=True)
class Descriptor:
    """An open file in a value to be sent; the receiver gets another descriptor of the same file."""

    number: int


class Channel:
    """One end of a connected socket. Only one thread at a time may use a Channel.

    files  whether open files may arrive
    kinds  dataclasses that are restored when they arrive; any other dataclass arrives as a dictionary of its fields
    """

    def __init__(self, connected, *, files=False, kinds=()):
        self._socket, self._files = connected, []
        self._file_bytes = socket.CMSG_LEN(struct.calcsize("i")) if files else 0
        self._kinds = {kind.__name__: kind for kind in kinds}

    def send(self, number, value, deadline=None):
        """Send `value` (JSON values, dataclasses, arrays, Descriptors) in a frame with this number.

        deadline  time of time.monotonic, in seconds, after which TimeoutError is raised

        If `value` cannot be encoded, raise TypeError or ValueError before anything is sent.
        """
        buffers, files = [], []
        text = json.dumps(value, default=lambda part: _stand_in(part, buffers, files)).encode()
        rest = HEADER.pack(MARK, os.getpid(), number, len(text), sum(map(len, buffers))) + text
        if files:
            self._limit(deadline)
            rest = rest[socket.send_fds(self._socket, [rest], files) :]
        for content in (rest, *buffers):
            self._limit(deadline)
            self._socket.sendall(content)

    def receive(self, sender=None, number=None, deadline=None, *, buffer_bytes=0):
        """Return (number, value) of the next frame. Arrays are read-only views of the frame's buffers.

        sender, number  process id of the sender and number that the frame must have, or None to accept any
        buffer_bytes    maximum size of the frame's buffers

        Raise EOFError if the other end is closed, TimeoutError after the deadline, and Malformed for an unexpected
        frame.
        """
        mark, process, got, length, size = HEADER.unpack(self._exactly(HEADER.size, deadline))
        if mark != MARK:
            raise Malformed("the process wrote data other than answers to its socket")
        if sender not in (None, process):
            raise Malformed(f"process {process} answered for process {sender}")
        if number not in (None, got):
            raise Malformed(f"the answer to request {got} arrived for request {number}")
        if length > LARGEST_JSON or size > buffer_bytes:
            raise Malformed(f"an answer of {length + size} bytes exceeds the size limit")
        text, memory = bytes(self._exactly(length, deadline)), self._exactly(size, deadline)
        memory.flags.writeable = False
        self._socket.setblocking(False)
        with contextlib.suppress(OSError):  # nothing more has arrived
            if self._socket.recv(1, socket.MSG_PEEK):
                raise Malformed("the process wrote more than one answer to its socket")
        try:
            return got, json.loads(text, object_hook=lambda part: self._made(part, memory))
        except BROKEN as error:
            raise Malformed(f"the answer is not valid JSON ({type(error).__name__})") from None

    def serve(self, call, refusal):
        """Answer each request with ("ok", call(name, arguments)) until the other end is closed.

        If `call` raises an exception, the answer is ("failed", refusal(error)).

        refusal(error)  returns arguments of rpc.process.Failed for an exception of `call`, or raises the exception
        """
        process = os.getpid()
        with contextlib.suppress(EOFError, ConnectionError):  # the coordinator may be killed before it reads an answer
            while True:
                number, request = self.receive(buffer_bytes=sys.maxsize)
                try:
                    answer = "ok", call(*request)
                except BaseException as error:
                    answer = "failed", refusal(error)
                if os.getpid() != process:
                    os._exit(1)  # code of an implementation or a kernel.py has forked, and this is the child
                try:
                    self.send(number, answer)
                except (TypeError, ValueError) as error:
                    self.send(number, ("failed", ("error", f"its result cannot be sent to the coordinator: {error}")))

    def close(self):
        self._socket.close()

    def _exactly(self, count, deadline):
        received = np.empty(count, np.uint8)  # NumPy allocates huge pages if the system has any
        rest = memoryview(received)
        while rest:
            self._limit(deadline)
            arrived, files, *_ = self._socket.recvmsg_into([rest], self._file_bytes, socket.MSG_CMSG_CLOEXEC)
            self._files += [int.from_bytes(number, sys.byteorder) for *_, number in files]
            if not arrived:
                raise EOFError
            rest = rest[arrived:]
        return received

    def _limit(self, deadline):
        """Set the socket's timeout to the time until `deadline`. Raise TimeoutError after the deadline."""
        left_s = None if deadline is None else deadline - time.monotonic()
        if left_s is not None and left_s <= 0:
            raise TimeoutError
        self._socket.settimeout(left_s)

    def _made(self, part, memory):
        """Return the file, array or dataclass that a part of a message stands for, or the part itself."""
        if part.keys() == {FILE}:
            return self._files.pop(0)
        if part.keys() == {STAND_IN}:
            offset, dtype, shape = part[STAND_IN]
            if np.dtype(dtype).kind not in NUMERIC:
                raise ValueError(dtype)
            return np.ndarray(shape, dtype, memory, offset)
        return self._kinds.get(part.pop(KIND, None), dict)(**part)


def _stand_in(part, buffers, files):
    """Return a JSON value that stands for `part`, which JSON cannot represent.

    Append bytes of arrays to `buffers`, and descriptors of open files to `files`.
    """
    if isinstance(part, Descriptor):
        files.append(part.number)
        return {FILE: len(files)}
    if dataclasses.is_dataclass(part):
        return {KIND: type(part).__name__, **vars(part)}
    if isinstance(part, np.generic):
        return part.item()
    if not isinstance(part, np.ndarray) or part.dtype.kind not in NUMERIC:
        raise TypeError(f"a {type(part).__name__} cannot be sent")
    offset = sum(map(len, buffers))
    buffers.append(memoryview(np.ascontiguousarray(part).reshape(-1).view(np.uint8)))
    return {STAND_IN: [offset, part.dtype.str, part.shape]}
