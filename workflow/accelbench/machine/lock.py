"""One lock for the whole computer, so that two processes do not measure at the same time.

The lock is an abstract UNIX socket, which has no file and disappears when its owner ends. A waiting process can read
the owner's id and user. Processes in another network namespace, such as a container's, do not see the lock.
"""

import contextlib
import os
import pwd
import socket
import struct

from accelbench.errors import InputError, notice

NAME = "ACCELBENCH_LOCK"  # Environment variable with the name of the lock, by default "accelbench"
NO_WAIT = "ACCELBENCH_NO_WAIT"  # Environment variable that makes processes fail instead of waiting for the lock
LONGEST_QUEUE = 1024  # Maximum number of waiting processes


@contextlib.contextmanager
def machine_lock():
    """Hold the lock of this computer. If another process holds the lock, wait; if NO_WAIT is set, raise InputError."""
    with socket.socket(socket.AF_UNIX) as lock:
        while not _bound(lock):
            with socket.socket(socket.AF_UNIX) as waiting, contextlib.suppress(OSError):
                waiting.connect(_address())
                owner = _owner(waiting)
                if os.environ.get(NO_WAIT):
                    raise InputError("this computer", f"{owner} is measuring", "Wait until it ends, or stop it")
                notice(f"waiting: {owner} is measuring on this computer")
                waiting.recv(1)  # returns when the owner ends
        lock.listen(LONGEST_QUEUE)
        yield


def refuse_to_wait():
    """Set NO_WAIT for this process and its child processes. Raise InputError if another process holds the lock."""
    os.environ[NO_WAIT] = "1"
    with machine_lock():
        pass


def _address():
    return f"\0{os.environ.get(NAME, 'accelbench')}"


def _bound(lock):
    try:
        lock.bind(_address())
        return True
    except OSError:
        return False


def _owner(connection):
    """Return "process 123 of ada" for the process that listens at the other end of a connection."""
    process, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    with contextlib.suppress(KeyError):
        user = pwd.getpwuid(user).pw_name
    return f"process {process} of {user}"
