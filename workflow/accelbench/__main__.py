"""Run the command line: `python -m accelbench`, or `accelbench` if the package is installed."""

import gc
import os
import signal
import sys

# `python -m` puts the working folder first on sys.path. A file there, such as a json.py, must not replace a module.
if sys.path[0] == os.getcwd():
    del sys.path[0]

# An interrupt during imports ends the process without a traceback. Commands handle later interrupts.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Matplotlib must draw into files. A notebook sets MPLBACKEND to a backend that draws into cells and would end workers.
os.environ.update(MPLBACKEND="agg")

from accelbench.cli.commands import app

# Results are many objects with hardly any reference cycles. At the usual frequency, garbage collection would take an
# eighth of a report's time.
gc.set_threshold(100_000)
for stream in filter(None, (sys.stdout, sys.stderr)):
    stream.reconfigure(errors="backslashreplace")  # for characters that the locale lacks

if __name__ == "__main__":
    app(prog_name="python -m accelbench")
