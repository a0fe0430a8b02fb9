"""Runs one command and ends all that is left of it with it: `python keeper.py LIFELINE BYTES VICTIM COMMAND...`.

LIFELINE is a socket; its other end is told the command's process id and, once nothing of it is left, the status that
os.waitpid gave. Where the other end closes, as it does when its process dies of whatever, all is killed. Descendants
that lost their parent or chose a session of their own are killed, too: the kernel hands them to a subreaper, which this
process is. BYTES is the most memory each process may fill (RLIMIT_DATA), 0 for no limit. VICTIM is how much rather than
this process the kernel is to end the command where memory runs out (what oom_score_adj rises by), 0 to 1000.

One of these runs beside every worker and compiler: it imports little, and is started by its file, without a package.
What it starts carries MARK in its environment, for `end_leftovers`, should even this process be killed.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
MARK = "ACCELBENCH_KEEPER"
PAUSE_S = 0.002


def main():
    """Be the keeper of one command."""
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
            _quietly(os.close, descriptor)  # what was passed on is the command's alone
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
    """Have descendants that lose their parent become this process's children."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent(number):
    """Have this process get a signal when the thread that started it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)


def _offer(victim):
    """Have the kernel rather end this process than others where memory runs out; anybody may raise their own score."""
    with open("/proc/self/oom_score_adj", "r+") as stream:
        score = min(1000, int(stream.read()) + victim)
        stream.seek(0)
        stream.write(str(score))


def _become(command, memory_bytes, keeper):
    """Run the command in place of this process, in a session of its own; killed with its keeper."""
    try:
        os.setsid()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # which Python ignores
        end_with_parent(signal.SIGKILL)
        if memory_bytes:
            import resource  # only where it is needed: what starts beside each worker imports little

            resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        if os.getppid() == keeper:
            os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os._exit(127)


def _reaped(child):
    """The status of `child` where it has ended; whatever else has ended is forgotten."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended in (0, child):
            return status if ended else None


def end_descendants():
    """Kill all descendants of this process, which adopts orphans, and return when none is left."""
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
    """{process id: seconds of CPU time it has used} of all descendants of a process; those of its ended children that
    it has `waited_for`, too."""
    children, used_s = {}, {}
    for process in _processes():
        fields = _statistics(process)
        if fields:
            children.setdefault(int(fields[1]), []).append(process)
            used_s[process] = sum(map(int, fields[11 : 15 if waited_for else 13])) / os.sysconf("SC_CLK_TCK")
    found, waiting = {}, [ancestor]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            found[child] = used_s[child]
            waiting.append(child)
    return found


def hide():
    """Have the kernel of the operating system close this process's memory and files to all but itself and root."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_leftovers():
    """Kill what an earlier run has left: this user's processes whose MARK names a keeper that is no more."""
    for process in _processes():
        mark = _mark(process)
        if mark and str(_started(mark[0])) != mark[1] and _is_ours(process):
            _quietly(os.kill, process, signal.SIGKILL)


def _mark(process):
    """(process id of its keeper, when that was started), or None."""
    try:
        with open(f"/proc/{process}/environ", "rb") as stream:
            marks = [v for v in os.fsdecode(stream.read()).split("\0") if v.startswith(f"{MARK}=")]
        keeper, _, started = marks[0].removeprefix(f"{MARK}=").partition("-")
        return int(keeper), started
    except (OSError, IndexError, ValueError):
        return None


def _is_ours(process):
    """Whether a process is this user's, and numbered as those are that this process sees."""
    try:
        same_numbers = os.readlink(f"/proc/{process}/ns/pid") == os.readlink("/proc/self/ns/pid")
        return same_numbers and os.stat(f"/proc/{process}").st_uid == os.getuid()
    except OSError:
        return False


def _started(process):
    """When a process was started, in ticks since boot: with its id, its name for good. None where it is no more."""
    fields = _statistics(process)
    return int(fields[19]) if fields and fields[0] != b"Z" else None


def _processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _statistics(process):
    """The fields of /proc/<process>/stat from its state on (proc(5) counts that as the third), or None."""
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
