"""torch.std: on a GPU mean and squared differences in one pass, by Welford's formula; on a processor in two."""

import torch

PARAMETERS = ("threads",)


def run(x):
    return torch.std(x, correction=0)
