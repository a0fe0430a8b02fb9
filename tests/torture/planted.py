"""The pieces of code that faults.py plants: {name: (code, correct outcomes, words that the reason must contain)}.

In Python, `x` and `y` are the case's input and output, or None before they exist.
"""

CRASHED, ERROR, TIMEOUT, WRONG, MEMORY = ("crashed",), ("error",), ("timeout",), ("wrong_result",), ("out_of_memory",)
ENDED = ("crashed", "error")  # outcomes of code that ends its process from Python
HARMLESS = ("ok", "crashed", "error", "timeout")  # outcomes of code that may leave its case correct

ORPHAN = "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)"

# Faults for every moment of MOMENTS (faults.py). With PoCL, LLVM's handlers let a process survive its first SIGBUS,
# SIGFPE or SIGILL.
DEATHS = {
    "segfault": ("ctypes.string_at(0)", CRASHED, "segmentation fault"),
    "abort": ("os.abort()", CRASHED, "aborted"),
    "bus_error": ("os.kill(os.getpid(), signal.SIGBUS)", ("crashed", "ok"), ""),
    "arithmetic": ("os.kill(os.getpid(), signal.SIGFPE)", ("crashed", "ok"), ""),
    "illegal_instruction": ("os.kill(os.getpid(), signal.SIGILL)", ("crashed", "ok"), ""),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", ("crashed", "out_of_memory"), ""),
    "terminated": ("os.kill(os.getpid(), signal.SIGTERM)", CRASHED, ""),
    "exit": ("os._exit(3)", CRASHED, "status 3"),
    "exit_as_if_well": ("os._exit(0)", CRASHED, "status 0"),
    "system_exit": ("raise SystemExit('good night')", ENDED, ""),
    "interrupt": ("raise KeyboardInterrupt", ENDED, ""),
    "base_exception": ("raise type('Odd', (BaseException,), {})('odd')", ENDED, ""),
    "generator_exit": ("raise GeneratorExit", ENDED, ""),
    "raise": ("raise ValueError('the moon is full')", ERROR, "ValueError: the moon is full"),
    "raise_surrogate": ("raise ValueError('\\udcff lone \\ud800')", ERROR, "ValueError"),
    "raise_control": ("raise ValueError('\\x1b[2J\\x07 <script>alert(1)</script> \\u202e')", ERROR, "ValueError"),
    "raise_long": ("raise ValueError('x' * 30_000_000)", ERROR, "ValueError"),
    "raise_unprintable": (
        "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0, '__repr__': lambda self: 1 / 0})()",
        ERROR,
        "",
    ),
    "raise_exit_when_printed": (
        "raise type('Sly', (Exception,), {'__str__': lambda self: os._exit(5)})()",
        ENDED,
        "",
    ),
    "raise_group": ("raise ExceptionGroup('several', [ValueError('a'), OSError('b')])", ERROR, "several"),
    "recursion": ("again = lambda: again()\nagain()", ERROR, "RecursionError"),
    "no_module": ("import there_is_no_such_module", ERROR, "there_is_no_such_module"),
    "memory_error": ("raise MemoryError('no more')", MEMORY, ""),
    "huge_array": ("np.ones(1 << 44)", MEMORY, ""),
    "unsupported": ("raise NotImplementedError('needs a quantum computer')", ("unsupported",), "quantum"),
    "spin": ("while True:\n    pass", TIMEOUT, "no answer"),
    "sleep": ("time.sleep(10_000)", TIMEOUT, "no answer"),
    "sleep_unkindly": ("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\ntime.sleep(10_000)", TIMEOUT, ""),
    "hold_the_interpreter": ("ctypes.PyDLL(None).sleep(10_000)", TIMEOUT, "no answer"),
    "stop_itself": ("os.kill(os.getpid(), signal.SIGSTOP)", TIMEOUT, ""),
    "stop_its_threads": ("lock = threading.Lock()\nlock.acquire()\nlock.acquire()", TIMEOUT, "no answer"),
    "fork_and_return": ("os.fork()", HARMLESS, ""),
    "fork_and_raise": ("if os.fork() == 0:\n    raise ValueError('a child')", HARMLESS, ""),
    "write_to_sockets": ("for s in sockets():\n    os.write(s, b'\\x07' * 1000)", HARMLESS, ""),
    "half_a_message": ("for s in sockets():\n    os.write(s, b'\\x00\\x00')\ntime.sleep(10_000)", HARMLESS, ""),
    "promise_two_gigabytes": (
        "for s in sockets():\n    os.write(s, b'\\x7f\\xff\\xff\\xf0')\ntime.sleep(10_000)",
        HARMLESS,
        "",
    ),
    "promise_without_end": (
        "for s in sockets():\n    os.write(s, b'\\xff' * 12)\ntime.sleep(10_000)",
        HARMLESS,
        "",
    ),
    "flood_sockets": ("for s in sockets():\n    while True:\n        os.write(s, bytes(1 << 16))", HARMLESS, ""),
    "close_sockets": ("for s in sockets():\n    os.close(s)", ENDED, ""),
    "close_everything": ("os.closerange(0, 1000)", ENDED, ""),
    "shut_sockets_and_stay": ("for s in sockets():\n    os.close(s)\ntime.sleep(10_000)", ("crashed", "timeout"), ""),
    "other_sockets": (
        "null = os.open('/dev/null', os.O_RDWR)\nfor s in sockets():\n    os.dup2(null, s)",
        ("crashed", "error", "timeout"),
        "",
    ),
    "close_output": ("os.close(1)\nos.close(2)", HARMLESS, ""),
    "print_a_lot": ("os.write(2, b'\\x1b[2J\\xff' * 1_000_000)", HARMLESS, ""),
    "child_stays": ("subprocess.Popen(['sleep', '1000'])", HARMLESS, ""),
    "child_of_its_own_session": ("subprocess.Popen(['sleep', '1000'], start_new_session=True)", HARMLESS, ""),
    "child_holds_sockets": ("subprocess.Popen(['sleep', '1000'], close_fds=False)", HARMLESS, ""),
    "orphan": (ORPHAN, HARMLESS, ""),
    "orphan_and_crash": (f"{ORPHAN}\nos.abort()", CRASHED, "aborted"),
    "deaf": (
        "for n in range(1, 65):\n    with contextlib.suppress(OSError, ValueError):\n"
        "        signal.signal(n, signal.SIG_IGN)\ntime.sleep(10_000)",
        TIMEOUT,
        "",
    ),
    "thread_spins": (
        "threading.Thread(target=lambda: [None for _ in iter(lambda: 1, 0)], daemon=True).start()",
        HARMLESS,
        "",
    ),
    "thread_stays": ("threading.Thread(target=lambda: time.sleep(1000)).start()", HARMLESS, ""),
    "at_exit": ("import atexit\natexit.register(time.sleep, 1000)", HARMLESS, ""),
    "environment_emptied": ("os.environ.clear()", HARMLESS, ""),
    "elsewhere": ("os.chdir('/')", HARMLESS, ""),
    "no_files": ("import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))", HARMLESS, ""),
    "no_time": (
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True:\n    pass",
        ENDED + MEMORY,
        "",
    ),
    "modules_gone": ("sys.modules.clear()", HARMLESS, ""),
    "warnings_are_errors": ("import warnings\nwarnings.simplefilter('error')", HARMLESS, ""),
    "outputs_odd": ("sys.stdout = sys.stderr = None", HARMLESS, ""),
    "no_memory_mapping": (
        "import mmap, tempfile\nf = tempfile.TemporaryFile()\nf.truncate(4096)\n"
        "m = mmap.mmap(f.fileno(), 4096)\nf.truncate(0)\nm[0]",
        CRASHED,
        "bus error",
    ),
}

# Changes of the process's scheduling, made in a call
SCHEDULING = {
    "nice": ("os.nice(1)", WRONG, "it changed its priority"),
    "batch": ("os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))", WRONG, "it changed its priority"),
    "nice_thread": (
        "threading.Thread(target=lambda: (os.nice(1), time.sleep(1000)), daemon=True).start()\ntime.sleep(0.1)",
        WRONG,
        "it changed its priority",
    ),
}

# Whole modules: lazy results, caches of results, modules without `run`, files that cannot be parsed.
_LAZY = """
import numpy as np


class Lazy{base}:
    {slots}

    def __array__(self, dtype=None, copy=None):
        return np.multiply(self.x, 2.0)

    def __len__(self):
        return self.x.size

    def __getitem__(self, index):
        return 2.0 * self.x[index]


def run(x, y):
    lazy = Lazy()
    lazy.x = x
    return lazy
"""
_KEPT = """
import {library}

import numpy as np

kept = {{}}


def run(x, y):
    name = {digest}
    if name not in kept:
        kept[name] = np.array([2.0 * value for value in x for _ in range(20)][::20])
    y[:] = kept[name]
"""
MODULES = {
    "lazy_array": (_LAZY.format(base="", slots="pass"), WRONG, "run returned a Lazy"),
    "lazy_list": (_LAZY.format(base="(list)", slots="pass"), WRONG, "run returned a Lazy"),
    "lazy_slots": (_LAZY.format(base="", slots="__slots__ = ('x',)"), WRONG, "run returned a Lazy"),
    "kept_by_bytes": (_KEPT.format(library="sys", digest="x.tobytes()"), WRONG, "reuses results of earlier calls"),
    "kept_by_digest": (
        _KEPT.format(library="hashlib", digest="hashlib.sha1(x).digest()"),
        WRONG,
        "reuses results of earlier calls",
    ),
    "kept_by_checksum": (
        _KEPT.format(library="zlib", digest="zlib.crc32(x)"),
        WRONG,
        "reuses results of earlier calls",
    ),
    "neither": ("value = 1\n", ERROR, "defines neither `run` nor `prepare`"),
    "looks": (
        "import kernel\n\n\ndef run(x, y):\n    y[:] = 2 * x\n",
        ERROR,
        "the implementation refers to kernel.py",
    ),
    "unparsed": ("def run(:\n", ERROR, "syntax error"),
    "null_byte": ("def run(x, y):\n    pass\0\n", ERROR, ""),
}
# Leftovers of editors, file systems and crashes in a folder of sources: {name: its text, or None for a dangling link}.
LEFTOVERS = {
    ".#numpy_edited.py": None,
    ".hidden.c": "this is no C",
    "numpy_old.py~": "this is no Python",
    "#numpy_saved.py#": "this is no Python",
    "._numpy_mac.py": "\0\5\x16\7",
    "nowhere.c": None,
    "nowhere.h": None,
}

# Wrong results: in every call, only in the first call, or in all calls after the first
LIES = {
    "one_element": ("y[7:8] = 3.0 * x[7:8]", WRONG, "of 1000 elements"),
    "last_element": ("y[-1:] = x[-1:]", WRONG, "of 1000 elements"),
    "not_a_number": ("y[3:4] = float('nan') * x[3:4]", WRONG, "of 1000 elements"),
    "infinite": ("y[3:4] = float('inf') * x[3:4]", WRONG, "of 1000 elements"),
    "shifted": ("y[:-1] = 2.0 * x[1:]", WRONG, "of 1000 elements"),
    "half_precision": ("y[:] = 2.0 * x.astype('float32').astype('float64')", WRONG, "elements"),
    "returns_odd": ("raise_or_return = object()", ("ok",), ""),
}

C = {
    "null": ("*(volatile double *)0 = 1;", CRASHED, "segmentation fault"),
    "far_write": ("y[1L << 40] = 1;", CRASHED, "segmentation fault"),
    "abort": ("abort();", CRASHED, "aborted"),
    "exit": ("_exit(4);", CRASHED, "status 4"),
    "exit_in_order": ("exit(0);", CRASHED, "status 0"),
    "trap": ("__builtin_trap();", CRASHED, ""),
    "killed": ("raise(SIGKILL);", ("crashed", "out_of_memory"), ""),
    "endless": ("for (volatile int go = 1; go;) ;", TIMEOUT, "no answer"),
    "sleep": ("sleep(10000);", TIMEOUT, "no answer"),
    "deep": ("y[0] = deeper(n);", CRASHED, "segmentation fault"),
    "double_free": ("void *volatile p = malloc(5000); free(p); free(p);", CRASHED, "aborted"),
    "free_of_an_array": ("free(y);", CRASHED, ""),
    "no_memory": ("*(volatile double *)malloc(1L << 60) = 1;", CRASHED, "segmentation fault"),
    "behind": ("y[n] = 1;", WRONG, "wrote outside y"),
    "before": ("y[-1] = 1;", WRONG, "wrote outside y"),
    "input": ("((double *)x)[0] = 0.5;", WRONG, ""),
    "one_element": ("y[7] = 3 * x[7];", WRONG, "1 of 1000 elements"),
    "syntax": ("this is no C;", ("build_failed",), "error"),
    "undeclared": ("y[0] = nowhere;", ("build_failed",), "nowhere"),
    "unlinked": ("y[0] = nowhere_at_all();", ("build_failed", "error"), "nowhere_at_all"),
    "header": ('\n#include "nowhere.h"\n', ("build_failed",), "nowhere.h"),
}

NUMBA = {
    "far_write": ("y[1 << 40] = 1.0", CRASHED, "segmentation fault"),
    "endless": ("while True:\n    y[0] += 1.0", TIMEOUT, "no answer"),
    "raise": ("raise ValueError('odd')", ERROR, "odd"),
    "types": ("y[0] = 'text'", ERROR, ""),
    "divide": ("y[0] = 1 // (y.size - y.size)", ERROR, "ZeroDivisionError"),
    "one_element": ("y[7] = 3 * x[7]", WRONG, "1 of 1000 elements"),
}

# Body of a kernel, run by 1024 work-items; `i` is the work-item.
OPENCL = {
    "far_write": ("y[i + (1l << 40)] = 1;", ("crashed", "error", "out_of_memory"), ""),
    "endless": ("while (1) y[0] = x[0] + y[1];", TIMEOUT, "no answer"),
    "one_element": ("y[7] = 3 * x[7];", WRONG, "of 1000 elements"),
    "syntax": ("this is no OpenCL;", ("error", "build_failed"), ""),
    "unlinked": ("y[0] = nowhere_at_all(x[0]);", ("error", "build_failed", "crashed"), ""),
}
# Faults in the Python code that launches a correct OpenCL kernel
OPENCL_HOST = {
    "too_few_arguments": ("kernel(queue, (1024,), (64,), x.data)", ERROR, ""),
    "block": ("kernel(queue, (1 << 30,), (1 << 30,), x.data, y.data)", ("unsupported", "error"), ""),
    "waits_for_ever": (
        "kernel(queue, (1024,), (64,), x.data, y.data, wait_for=[cl.UserEvent(queue.context)])",
        TIMEOUT,
        "no answer",
    ),
    "exhausting": (
        "kept = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 1 << 46)\n"
        "cl.enqueue_fill_buffer(queue, kept, b'a', 0, 64)",
        ("out_of_memory", "error"),
        "",
    ),
    "freed": ("y.data.release()", ("crashed", "error", "out_of_memory"), ""),
}

# CUDA C of a kernel, run by 4 blocks of 256 threads; `i` is the thread.
CUDA = {
    "illegal_address": ("y[i + (1ll << 40)] = x[0];", CRASHED, "illegal"),
    "null": ("*(volatile double *)0 = 1;", CRASHED, ""),
    "misaligned": ("*(double *)((char *)y + 1) = 1;", CRASHED, "misaligned"),
    "trap": ('asm("trap;");', CRASHED, ""),
    "stack": ("y[0] = deeper(i);", CRASHED, ""),
    "endless": ("while (1) ((volatile double *)y)[0] = x[0];", TIMEOUT, "no answer"),
    "one_element": ("y[7] = 3 * x[7];", WRONG, "of 1000 elements"),
    "syntax": ("this is no CUDA;", ("error", "build_failed"), ""),
    "unlinked": ("y[0] = nowhere_at_all(x[0]);", ("error", "build_failed"), ""),
}
# Faults in a CUDA kernel written in Numba
NUMBA_CUDA = {
    "illegal_address": ("y[i + (1 << 40)] = x[0]", CRASHED, "illegal"),
    "endless": ("while True: cuda.atomic.add(y, 0, x[0])", TIMEOUT, "no answer"),
    "one_element": ("y[7] = 3.0 * x[7]", WRONG, "of 1000 elements"),
    "types": ("y[i] = 'text'", ERROR, ""),
}
# Faults in the Python code that launches a correct CUDA kernel, for each library
STREAM_WAITS = (
    "run.sleep = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda nothing: time.sleep(10_000))\n"
    "handle = case.stream.handle\n"
    "stream = ctypes.c_void_p(int(getattr(handle, 'value', handle) or 0))\n"
    "ctypes.CDLL('libcuda.so.1').cuLaunchHostFunc(stream, run.sleep, None)"
)
NUMBA_CUDA_HOST = {
    "exhausting": ("kept = []\nwhile True:\n    kept.append(cuda.device_array(1 << 27))", MEMORY, ""),
    "double_free": ("memory = cuda.current_context().memalloc(1 << 20)\nmemory.free()\nmemory.free()", ERROR, ""),
    "stream_waits": (STREAM_WAITS, TIMEOUT, "no answer"),
}
PYCUDA_HOST = {
    "allocations_exhausting": ("kept = []\nwhile True:\n    kept.append(cuda.mem_alloc(1 << 30))", MEMORY, ""),
    "allocation_freed_twice": ("memory = cuda.mem_alloc(1 << 20)\nmemory.free()\nmemory.free()", ERROR, ""),
    "stream_waits_for_host": (STREAM_WAITS, TIMEOUT, "no answer"),
}
CUDA_HOST = {
    "too_many_threads": ("kernel((1,), (4096,), (x, y))", ERROR, "INVALID_VALUE"),
    "exhausting": ("kept = []\nwhile True:\n    kept.append(cp.empty(1 << 30, 'uint8'))", MEMORY, ""),
    "exhausting_without_pool": ("while True:\n    cp.cuda.runtime.malloc(1 << 30)", MEMORY + ERROR, ""),
    "double_free": ("p = cp.cuda.runtime.malloc(1 << 20)\ncp.cuda.runtime.free(p)\ncp.cuda.runtime.free(p)", ERROR, ""),
    "free_of_an_array": ("cp.cuda.runtime.free(cp.cuda.runtime.malloc(64) + 8)", ERROR, ""),
    "stream_waits": (
        "cp.cuda.get_current_stream().launch_host_func(lambda nothing: time.sleep(10_000), None)",
        TIMEOUT,
        "no answer",
    ),
    "other_stream_waits": (
        "s = cp.cuda.Stream(non_blocking=True)\ns.launch_host_func(lambda nothing: time.sleep(10_000), None)\n"
        "with s:\n    kernel((4,), (256,), (x, y))\ns.synchronize()",
        TIMEOUT,
        "no answer",
    ),
    "device_reset": ("cp.cuda.runtime.deviceReset()", ("crashed", "error", "timeout"), ""),
}
