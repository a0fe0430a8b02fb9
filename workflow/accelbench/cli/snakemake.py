"""Run Snakemake in the process that the command `run` starts. Only the first interrupt has an effect.

Snakemake reports interrupted jobs as failed. So a thread first silences this process and then interrupts the jobs. A
terminal does not interrupt the jobs, because `run` puts them into a separate process group. This process blocks SIGINT,
and so does each job while it starts, since an interrupt would then print a traceback. .snakemake/log contains the
messages that are not printed.
"""

import os
import signal
import sys
import threading


def _stop():
    """Wait for an interrupt, then silence this process, interrupt its jobs and Snakemake."""
    signal.sigwait({signal.SIGINT})
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    os.killpg(0, signal.SIGINT)  # interrupts the shells of jobs and their commands; this process blocks SIGINT
    signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        signal.signal(signal.SIGUSR1, signal.default_int_handler)
        threading.Thread(target=_stop, daemon=True).start()
        from snakemake.cli import main  # imported late, so that an interrupt also ends this slow import

        main()
    except KeyboardInterrupt:
        sys.exit(130)
