"""What a repetition draws at random, since a program's speed may owe something to it: the seed of its inputs and of
Python's hashes, where arrays begin within a page, and how much stands in the environment.

Source: Mytkowicz, Diwan, Hauswirth and Sweeney, Producing Wrong Data Without Doing Anything Obviously Wrong!, ASPLOS
2009.
"""

import random
from dataclasses import dataclass

INPUT_SEEDS = 2  # of all repetitions: for each, references are computed
MOST_BYTES = 4096  # of padding in the environment


@dataclass(frozen=True)
class Setup:
    """What all workers of a repetition start with.

    input_seed  of all problems' inputs
    hash_seed   Python's PYTHONHASHSEED
    page_seed   of the places within a page at which arrays on the host begin, one array after the other
    padding     bytes that stand in the environment beside everything else
    """

    input_seed: int
    hash_seed: int = 0
    page_seed: int = 0
    padding: int = 0

    @classmethod
    def of(cls, seed: int, number: int) -> "Setup":
        """That of the repetition with this number (from 1), of a protocol with this seed."""
        drawn = random.Random(f"setup {seed} {number}")
        return cls(
            input_seed=seed + (number - 1) % INPUT_SEEDS,
            hash_seed=drawn.randrange(1, 1 << 32),
            page_seed=drawn.randrange(1, 1 << 32),
            padding=drawn.randrange(MOST_BYTES),
        )

    @property
    def variables(self) -> dict[str, str]:
        """Of a worker's environment."""
        return {
            "PYTHONHASHSEED": str(self.hash_seed),
            "ACCELBENCH_PAGE_SEED": str(self.page_seed),
            "ACCELBENCH_PADDING": "x" * self.padding,
        }
