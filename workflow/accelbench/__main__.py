"""Run the command line: `python -m accelbench`, or `accelbench` if the package is installed."""

import gc
import os
import signal
import sys

# `python -m` puts the working folder first on sys.path. A json.py in this folder must not shadow the standard module.
if sys.path[0] == os.getcwd():
    del sys.path[0]

# An interrupt during imports ends the process without a traceback. Commands handle later interrupts.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Matplotlib must draw into files. The backend that a notebook sets in MPLBACKEND draws into cells, or is not installed.
os.environ.update(MPLBACKEND="agg")

from accelbench.cli.commands import app

# Results are many objects with hardly any reference cycles. With Python's default threshold, garbage collection would
# take an eighth of the time to make a report.
gc.set_threshold(100_000)
for stream in filter(None, (sys.stdout, sys.stderr)):
    stream.reconfigure(errors="backslashreplace")  # Escape characters that the locale's encoding lacks

if __name__ == "__main__":
    app(prog_name="python -m accelbench")
