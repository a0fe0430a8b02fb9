"""Places by a cumulative sum, then one scatter, adding 0 for what is dropped: nothing waits for a length."""

import torch

PARAMETERS = ("threads",)


def run(x, out):
    kept = x > 0.5
    ends = torch.cumsum(kept, 0)
    out.zero_()
    out.scatter_add_(0, (ends - 1).clamp_(min=0), torch.where(kept, x, 0))
    return kept.sum()
