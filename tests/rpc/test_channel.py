"""Tests of frames between coordinator and worker: values arrive unchanged, and malformed frames are rejected."""

import json
import os
import socket
import threading
import time

import numpy as np
import pytest

from accelbench.rpc.channel import HEADER, MARK, STAND_IN, Channel, Malformed


@pytest.fixture
def ends():
    """Yield (a Channel, the other end of its socket)."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours), theirs


def frame(text, process=None, number=1, length=None, buffers=b"", size=None):
    """Return a frame as a malicious worker could write it."""
    length, size = len(text) if length is None else length, len(buffers) if size is None else size
    return HEADER.pack(MARK, process or os.getpid(), number, length, size) + text + buffers


def receive(channel, **settings):
    return channel.receive(os.getpid(), 1, time.monotonic() + 1.0, **settings)


def test_what_json_knows_comes_through(ends):
    channel, other = ends
    value = ["ok", {"seconds": 1e-7, "nothing": None, "all": [True, "µ"], "far": float("inf")}]
    Channel(other).send(1, value)
    assert receive(channel) == (1, value)


def test_arrays_come_through_as_they_were(ends):
    channel, other = ends
    rng = np.random.default_rng(3)
    arrays = [
        rng.random((3, 5)),
        rng.random((6, 4)).T[::2],
        np.array(7, np.int16),
        np.empty((0, 3), np.complex64),
        np.array([True, False]),
    ]
    Channel(other).send(1, {"arrays": arrays, "scalar": np.float32(0.5)})
    _, got = receive(channel, buffer_bytes=1 << 10)
    assert got["scalar"] == 0.5
    for sent, array in zip(arrays, got["arrays"], strict=True):
        assert (array.dtype, array.shape) == (sent.dtype, sent.shape)
        assert np.array_equal(array, sent)


def test_what_cannot_be_sent_is_refused_before_a_byte_of_it(ends):
    channel, other = ends
    for value in (object(), b"", {(1, 2): 3}, np.array([object()])):
        with pytest.raises((TypeError, ValueError)):
            Channel(other).send(1, value)
    other.setblocking(False)
    Channel(other).send(1, None)
    assert receive(channel) == (1, None)


REFUSED = {
    "noise": b"x" * 64,
    "another process's": frame(b"1", process=1),
    "another question's": frame(b"1", number=2),
    "2 GB promised": frame(b"", length=2 << 30),
    "2 GB of buffers promised": frame(b"1", size=2 << 30),
    "no JSON": frame(b"{"),
    "no text": frame(b"\xff\xfe"),
    "nested a million times": frame(b"[" * 1_000_000),
    "a number of a million digits": frame(b"9" * 1_000_000),
    "two answers": frame(b"1") + frame(b"1"),
    "an array larger than what came": frame(json.dumps({STAND_IN: [0, "<f8", [9]]}).encode(), buffers=b"8 bytes."),
    "an array of objects": frame(json.dumps({STAND_IN: [0, "|O", [1]]}).encode(), buffers=b"8 bytes."),
    "an array of half a shape": frame(json.dumps({STAND_IN: [0, "<f8", [0.5]]}).encode(), buffers=b"8 bytes."),
    "an array that says nothing": frame(json.dumps({STAND_IN: 1}).encode(), buffers=b"8 bytes."),
}


@pytest.mark.parametrize("what", REFUSED)
def test_anything_else_is_refused(ends, what):
    channel, other = ends
    writer = threading.Thread(target=other.sendall, args=[REFUSED[what]])  # some frames exceed a socket's buffer
    writer.start()
    with pytest.raises(Malformed):
        receive(channel, buffer_bytes=1 << 10)
    writer.join()


@pytest.mark.processes
@pytest.mark.parametrize(
    "part",
    [b"", b"ac", frame(b"", length=100), frame(b"[1, 2", length=6), MARK],
    ids=["nothing", "two bytes", "a header", "half a message", "a mark"],  # ids without the frames' pids, for xdist
)
def test_the_deadline_covers_a_whole_answer(ends, part):
    channel, other = ends
    other.sendall(part)
    begin = time.monotonic()
    with pytest.raises(TimeoutError):
        channel.receive(os.getpid(), 1, begin + 0.2)
    assert 0.15 < time.monotonic() - begin < 2.0


def test_the_deadline_covers_a_question_that_nobody_reads(ends):
    channel, _ = ends
    begin = time.monotonic()
    with pytest.raises(TimeoutError):
        channel.send(1, "x" * (8 << 20), begin + 0.2)
    assert time.monotonic() - begin < 2.0


def test_an_end_is_told_from_silence(ends):
    channel, other = ends
    other.sendall(frame(b"[1, 2", length=6))
    other.close()
    with pytest.raises(EOFError):
        receive(channel)
