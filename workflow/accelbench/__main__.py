"""Run the command line: `python -m accelbench`, or `accelbench` where the package is installed."""

import gc
import os
import signal
import sys

# A file of the working folder, such as a json.py, must not replace a module. `python -m` puts that folder first.
if sys.path[0] == os.getcwd():
    del sys.path[0]

# An interrupt during imports ends the process without a traceback. Commands handle later ones.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Draw pictures into files. A notebook's setting has them drawn into cells, which ends workers without a notebook.
os.environ.update(MPLBACKEND="agg")

from accelbench.cli.commands import app

# Results are many objects with hardly a cycle. Searching them as often as usual takes an eighth of a report's time.
gc.set_threshold(100_000)
for stream in filter(None, (sys.stdout, sys.stderr)):
    stream.reconfigure(errors="backslashreplace")  # if the locale lacks a character

if __name__ == "__main__":
    app(prog_name="python -m accelbench")
