"""Solve problems by the worker's code in this process, and check the results by the verifier's code."""

from contextlib import closing
from pathlib import Path

from run_implementation import Runner

from accelbench.kernels import catalog
from accelbench.rpc.messages import TruthKey
from accelbench.verify.truth import Truth


def solve(path, name, problems, **options):
    """Run the implementation `name` of the kernel in the folder `path` on each of the `problems`, (size, block size).

    Solve each problem in every dtype, with random and with exact inputs. `options` replace default options of the
    kernel. Return the number of solved problems, without unsupported problems. Raise WrongResult if a result is wrong.
    """
    folder, solved = catalog.load(path), 0
    run = Runner(folder, Path())  # nothing is built
    options = folder.spec.options | options
    for dtype in folder.spec.dtypes:
        for size, block in problems:
            for exact in (False, True):
                problem = {"problem": f"{folder.name} {size}", "size": size, "dtype": dtype, "options": options}
                key = TruthKey(folder=str(path), **problem, seed=1, which=0, exact=exact)
                with closing(Truth(folder, key)) as truth:
                    try:
                        with run.prepared(name, dtype, truth.inputs, block, size, options=options) as call:
                            results, again = call(), call()
                    except NotImplementedError:
                        continue
                    names = [output.name for output in truth.outputs]
                    results, again = (dict(zip(names, found, strict=True)) for found in (results, again))
                    truth.compare(results, again, False)
                solved += 1
    return solved
