"""Tensor.uniform_ into a tensor that is there already: the Mersenne Twister, or Philox on a GPU."""

import torch


def prepare(case):
    generator = torch.Generator("cuda" if case.stream else "cpu").manual_seed(20230308)

    def run(out):
        out.uniform_(generator=generator)

    return run
