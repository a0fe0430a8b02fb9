"""PyTorch adds ones in place by scatter_add_ with a tensor of bins, and does not wait for the largest bin."""

PARAMETERS = ("threads",)


def run(x, counts):
    counts.zero_()
    counts.scatter_add_(0, (x * len(counts)).long(), counts.new_ones(1).expand(len(x)))
