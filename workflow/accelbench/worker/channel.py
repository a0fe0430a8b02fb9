"""How messages travel between processes: frames of JSON and of raw buffers over a socket, no pickle.

A frame is a header (mark, process id of the sender, number of the question, bytes of JSON, bytes of buffers), the JSON
text, then the buffers one after the other. In the JSON, {"__buffer__": [offset, dtype, shape]} stands for an array and
a dtype of null for bytes, {"__file__": n} for an open file that came with the frame, and the fields of a dataclass for
that. An answer repeats its question's
number. What arrives is not trusted: a frame of another sender or number, one larger than allowed, or one that is late
is refused before anything is made of it.
"""

import dataclasses
import json
import os
import select
import socket
import struct
import time

import numpy as np

HEADER = struct.Struct("!8sIQQQ")
MARK = b"accelb\r\n"
READ, READ_MOST = 1 << 12, 1 << 22  # bytes asked of the socket at once, at least and at most
LARGE = 1 << 20  # bytes, from which they are received where they are to lie, in large pages where there are such
LARGEST_JSON = 64 << 20  # bytes
STAND_IN, FILE = "__buffer__", "__file__"
NUMERIC = "biufc"  # NumPy's kinds of dtypes that arrays may have
# All that a wrong text makes json or NumPy raise; RecursionError is nested too deeply.
BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError, MemoryError)


class Malformed(Exception):
    """What arrived is no frame, or not the one that was waited for; the message says how."""


@dataclasses.dataclass(frozen=True)
class Descriptor:
    """Stands for an open file in a value to be sent; who receives it gets a number of its own for the file."""

    number: int


class Channel:
    """One end of a connected socket, for one thread at a time; `files`: whether open files may arrive there."""

    def __init__(self, connected, files=False):
        self._socket, self._takes, self._files = connected, files, []
        self._ahead = b""
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(connected, select.POLLIN)
        self._writable.register(connected, select.POLLOUT)

    def send(self, number, value, deadline=None):
        """Send `value` (what JSON knows, dataclasses, arrays, bytes) in the frame of that number.

        deadline  in time.monotonic's seconds; TimeoutError after it
        TypeError or ValueError, before anything is sent, where `value` holds anything else.
        """
        buffers, files = [], []
        try:
            text = json.dumps(value)
        except TypeError:
            text = json.dumps(value, default=lambda part: _stand_in(part, buffers, files))
        header = HEADER.pack(MARK, os.getpid(), number, len(text), sum(map(len, buffers)))
        for content in (header + text.encode(), *buffers):
            rest = memoryview(content)
            while rest:
                try:
                    if files:
                        rest, files = rest[socket.send_fds(self._socket, [rest], files, socket.MSG_DONTWAIT) :], []
                    else:
                        rest = rest[self._socket.send(rest, socket.MSG_DONTWAIT) :]
                except BlockingIOError:
                    self._wait(self._writable, deadline)

    def receive(self, sender=None, number=None, deadline=None, *, buffer_bytes=0):
        """(number, value) of the next frame, arrays read-only in memory of their own.

        sender, number  what the frame must carry, where given; buffer_bytes: the most that its buffers may hold
        EOFError where the other end is closed, TimeoutError after the deadline, Malformed.
        """
        mark, process, got, length, size = HEADER.unpack(self._exactly(HEADER.size, deadline))
        if mark != MARK:
            raise Malformed("something else than answers was written on its socket")
        if sender not in (None, process):
            raise Malformed(f"process {process} answered for process {sender}")
        if number not in (None, got):
            raise Malformed(f"an answer to question {got} came for question {number}")
        if length > LARGEST_JSON or size > buffer_bytes:
            raise Malformed(f"an answer of {length + size} bytes, more than it may have")
        text, memory = bytes(self._exactly(length, deadline)), self._exactly(size, deadline)
        if self._ahead:
            raise Malformed("more than one answer was written on its socket")
        try:
            return got, json.loads(text, object_hook=lambda part: self._replaced(part, memory))
        except BROKEN as error:
            raise Malformed(f"an answer that is no JSON ({type(error).__name__})") from None

    def close(self):
        self._socket.close()

    def _exactly(self, count, deadline):
        """The next `count` bytes; what arrives with them is kept in `_ahead`."""
        received = bytearray(count) if count < LARGE else np.empty(count, np.uint8)
        rest = memoryview(received)
        while rest:
            if not self._ahead:
                self._wait(self._readable, deadline)
                if len(rest) >= LARGE:  # buffers, which no file comes with; what follows them is seen by their end
                    arrived = self._socket.recv_into(rest[: len(rest) - READ])
                    if not arrived:
                        raise EOFError
                    rest = rest[arrived:]
                    continue
                most = min(max(len(rest), READ), READ_MOST)
                if self._takes:
                    self._ahead, files, *_ = socket.recv_fds(self._socket, most, 1, socket.MSG_CMSG_CLOEXEC)
                    self._files += files
                else:
                    self._ahead = self._socket.recv(most)
                if not self._ahead:
                    raise EOFError
            part, self._ahead = self._ahead[: len(rest)], self._ahead[len(rest) :]
            rest[: len(part)] = part
            rest = rest[len(part) :]
        return received

    def _replaced(self, part, memory):
        return self._files.pop(0) if part.keys() == {FILE} else _replaced(part, memory)

    @staticmethod
    def _wait(event, deadline):
        if not event.poll(None if deadline is None else max(0.0, deadline - time.monotonic()) * 1e3):
            raise TimeoutError


def _stand_in(part, buffers, files):
    """What stands in the JSON for a value it does not know; its bytes are appended to `buffers`, or it to `files`."""
    if isinstance(part, Descriptor):
        files.append(part.number)
        return {FILE: len(files)}
    if dataclasses.is_dataclass(part):
        return vars(part)
    if isinstance(part, np.generic):
        return part.item()
    if isinstance(part, np.ndarray) and part.dtype.kind in NUMERIC:
        shape, dtype = part.shape, part.dtype.str
        content = memoryview(np.ascontiguousarray(part).reshape(-1).view(np.uint8))
    elif isinstance(part, bytes):
        shape, dtype, content = [len(part)], None, memoryview(part)
    else:
        raise TypeError(f"a {type(part).__name__} cannot be sent")
    offset = sum(map(len, buffers))
    buffers.append(content)
    return {STAND_IN: [offset, dtype, shape]}


def _replaced(part, memory):
    """The array or the bytes that a part of a message stands for, or the part itself."""
    if part.keys() != {STAND_IN}:
        return part
    offset, dtype, shape = part[STAND_IN]
    if dtype is None:
        return bytes(memory[offset : offset + shape[0]])
    dtype = np.dtype(dtype)
    if dtype.kind not in NUMERIC:
        raise ValueError(dtype)
    array = np.frombuffer(memory, dtype, int(np.prod(shape, dtype=object)), offset).reshape(shape)
    array.flags.writeable = False
    return array
