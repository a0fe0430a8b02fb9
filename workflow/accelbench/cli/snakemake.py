"""`python -m accelbench.cli.snakemake`: Snakemake, which ends at the first interrupt and does not mind others: one that
comes while it ends, as of an impatient hand or of `timeout`, would end it with a traceback."""

import signal


def _once(*_):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGINT, _once)

    from snakemake.cli import main  # only here: it takes a second, in which an interrupt may come

    main()
