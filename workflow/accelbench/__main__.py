"""`python -m accelbench`: the command line, and what every rule of the workflow calls."""

import gc
import os
import signal
import sys

# An interrupt during imports ends the process without a traceback. Commands handle later ones.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Pictures are drawn into files, by workers, too; notebooks have their commands draw into cells, which kills matplotlib
# where it knows nothing of notebooks.
os.environ.update(MPLBACKEND="agg")

from accelbench.cli.commands import app

if __name__ == "__main__":
    # Results are many objects and hardly a cycle: looking for some as often as usual is an eighth of a report's time.
    gc.set_threshold(100_000)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")  # where the locale lacks a sign
    app(prog_name="python -m accelbench")
