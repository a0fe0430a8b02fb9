"""Conditions that vary from repetition to repetition, since they may affect a program's speed.

The conditions are the seed of inputs, the seed of Python's hashes, the position of arrays within a page of memory, and
the padding of environment variables. All conditions except the seed of inputs are random.

Source: Mytkowicz, Diwan, Hauswirth and Sweeney, Producing Wrong Data Without Doing Anything Obviously Wrong!, ASPLOS
2009.
"""

import random
from dataclasses import dataclass

INPUT_SEEDS = 2  # Number of seeds of inputs, which repetitions use in turn; each seed needs its own reference results
MOST_BYTES = 4096  # Upper limit of the padding that is added to the environment variables, in bytes


@dataclass(frozen=True)
class Setup:
    """Conditions of all workers of a repetition.

    input_seed  seed of all problems' inputs
    hash_seed   Python's PYTHONHASHSEED
    page_seed   seed of the positions of host arrays within a page
    padding     number of bytes that are added to the environment variables
    """

    input_seed: int
    hash_seed: int = 0
    page_seed: int = 0
    padding: int = 0

    @classmethod
    def of(cls, seed: int, number: int) -> "Setup":
        """Return the Setup of the repetition with this number (from 1) for a protocol's seed."""
        drawn = random.Random(f"setup {seed} {number}")
        return cls(
            input_seed=seed + (number - 1) % INPUT_SEEDS,
            hash_seed=drawn.randrange(1, 1 << 32),
            page_seed=drawn.randrange(1, 1 << 32),
            padding=drawn.randrange(MOST_BYTES),
        )

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that pass the conditions to a worker."""
        return {
            "PYTHONHASHSEED": str(self.hash_seed),
            "ACCELBENCH_PAGE_SEED": str(self.page_seed),
            "ACCELBENCH_PADDING": "x" * self.padding,
        }
