"""Run one command, and kill all its descendants when it ends: `python keeper.py LIFELINE BYTES VICTIM COMMAND...`.

LIFELINE is the descriptor of a socket to the owner of the command. The keeper writes the command's process id to the
socket. Once no descendant is left, the keeper writes the command's status from os.waitpid. If the owner closes its end
of the socket or dies, the keeper kills the command. SIGTERM has the same effect. The keeper is a subreaper, so it also
kills orphans and descendants in other sessions. BYTES is the memory limit of each process (RLIMIT_DATA), 0 for none.
VICTIM, from 0 to 1000, is added to oom_score_adj: if memory runs out, the operating system kills the command before
other processes.

A keeper runs beside every worker and compiler. To start quickly, the keeper imports little, and runs as a file, without
its package. Its descendants have the environment variable MARK. If the keeper itself was killed, the next run finds its
descendants by this variable and kills them (`end_leftovers`).
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
MARK = "ACCELBENCH_KEEPER"  # Environment variable with the keeper's process id and start time
PAUSE_S = 0.002  # Interval between attempts to kill all descendants, in seconds


def main():
    (lifeline, memory_bytes, victim), command = map(int, sys.argv[1:4]), sys.argv[4:]
    adopt_orphans()
    os.set_inheritable(lifeline, False)
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    keeper = os.getpid()
    os.environ[MARK] = f"{keeper}-{_started(keeper)}"
    child = os.fork()
    if child == 0:
        _quietly(_offer, victim)
        _become(command, memory_bytes, keeper)
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in (lifeline, awake, wake):
            _quietly(os.close, descriptor)  # descriptors that only the command needs
    _quietly(os.write, lifeline, b"%d\n" % child)
    events = select.poll()
    events.register(lifeline, select.POLLIN)
    events.register(awake, select.POLLIN)
    status = None
    while status is None:
        if lifeline in dict(events.poll()) or signal.SIGTERM in os.read(awake, 512):
            _quietly(os.kill, child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        else:
            status = _reaped(child)
    end_descendants()
    _quietly(os.write, lifeline, b"%d\n" % status)


def adopt_orphans():
    """Make this process the parent of descendants whose parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent(number):
    """Make Linux send the signal `number` to this process when the thread that started the process ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)


def _offer(victim):
    """Add `victim` to this process's oom_score_adj, up to 1000."""
    with open("/proc/self/oom_score_adj", "r+") as stream:
        score = min(1000, int(stream.read()) + victim)
        stream.seek(0)
        stream.write(str(score))


def _become(command, memory_bytes, keeper):
    """Replace this process by the command, in a new session. Linux kills the command when its keeper ends."""
    try:
        os.setsid()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # Python ignores these signals
        end_with_parent(signal.SIGKILL)
        if memory_bytes:
            import resource  # imported lazily to speed up the start

            resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        if os.getppid() == keeper:
            os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os._exit(127)


def _reaped(child):
    """Reap ended children. Return the status of `child` if it is among them, and None otherwise."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended in (0, child):
            return status if ended else None


def end_descendants():
    """Kill all descendants of this process, and return when none is left. Call `adopt_orphans` first."""
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for process in descendants(os.getpid()):
            _quietly(os.kill, process, signal.SIGKILL)
        time.sleep(PAUSE_S)


def descendants(ancestor, waited_for=False):
    """Return {process id: CPU time in seconds} of all descendants of a process.

    waited_for  whether to add the CPU time of ended children that a descendant has waited for
    """
    children, used_s = {}, {}
    for process in _processes():
        fields = _statistics(process)
        if fields:
            children.setdefault(int(fields[1]), []).append(process)
            used_s[process] = sum(map(int, fields[11 : 15 if waited_for else 13])) / os.sysconf("SC_CLK_TCK")
    cpu_s, waiting = {}, [ancestor]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            cpu_s[child] = used_s[child]
            waiting.append(child)
    return cpu_s


def hide():
    """Hide this process's memory and files in /proc from all other processes, except processes of root."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_leftovers():
    """Kill processes of an earlier run: this user's processes whose MARK names a keeper that has ended."""
    for process in _processes():
        mark = _mark(process)
        if mark and str(_started(mark[0])) != mark[1] and _is_ours(process):
            _quietly(os.kill, process, signal.SIGKILL)


def _mark(process):
    """Return (process id, start time) of the keeper that a process's variable MARK names, or None."""
    try:
        with open(f"/proc/{process}/environ", "rb") as stream:
            marks = [v for v in os.fsdecode(stream.read()).split("\0") if v.startswith(f"{MARK}=")]
        keeper, _, started = marks[0].removeprefix(f"{MARK}=").partition("-")
        return int(keeper), started
    except (OSError, IndexError, ValueError):
        return None


def _is_ours(process):
    """Return whether a process belongs to this user and to this process's PID namespace."""
    try:
        same_numbers = os.readlink(f"/proc/{process}/ns/pid") == os.readlink("/proc/self/ns/pid")
        return same_numbers and os.stat(f"/proc/{process}").st_uid == os.getuid()
    except OSError:
        return False


def _started(process):
    """Return the start time of a process in clock ticks since boot, or None if the process has ended.

    The process id and the start time together identify a process.
    """
    fields = _statistics(process)
    return int(fields[19]) if fields and fields[0] != b"Z" else None


def _processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _statistics(process):
    """Return the fields of /proc/<process>/stat, without the first two (proc(5)); None if the process has ended."""
    try:
        with open(f"/proc/{process}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()
    except OSError:
        return None


def _quietly(call, *arguments):
    with contextlib.suppress(OSError):
        call(*arguments)


if __name__ == "__main__":
    main()
