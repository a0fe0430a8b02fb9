"""Dry runs of the workflow, with Snakemake imported once for all of them."""

import os
import subprocess
import sys
import tempfile

from accelbench import project


def dry_run(*arguments, cwd, snakefile=project.SNAKEFILE):
    """Run `snakemake -n` in a fork of this process, which has imported Snakemake. Return the finished process."""
    from snakemake import cli  # lazy import, as most of pytest's workers make no dry run

    words = ["-n", "-s", str(snakefile), *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if not child:
            os.chdir(cwd)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
            try:
                cli.main(words)
            except SystemExit as ended:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(ended.code or 0)
            finally:
                os._exit(70)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told = [stream.seek(0) or stream.read() for stream in (out, err)]
    return subprocess.CompletedProcess(words, status, *told)
