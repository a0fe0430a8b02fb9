"""`python -m accelbench.cli.snakemake`: Snakemake for `run`. It ends at the first interrupt and ignores others.

Snakemake reports interrupted jobs as failed. So a thread silences this process first, and interrupts the jobs then. A
terminal interrupts neither, since `run` gives them a process group of their own. The interrupt is blocked here and in
jobs that start up, where it would cause tracebacks. .snakemake/log has what is not printed.
"""

import contextlib
import os
import signal
import sys
import threading


def _stop():
    """Wait for an interrupt, then silence this process, interrupt its jobs and Snakemake."""
    import psutil  # only here: Snakemake imports it, too

    signal.sigwait({signal.SIGINT})
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    for job in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):
            job.send_signal(signal.SIGINT)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        signal.signal(signal.SIGUSR1, signal.default_int_handler)
        threading.Thread(target=_stop, daemon=True).start()
        from snakemake.cli import main  # only here: it takes a second, in which an interrupt may come

        main()
    except KeyboardInterrupt:
        sys.exit(130)
