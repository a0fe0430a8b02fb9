"""A scatter of ones, added in place: bins are a tensor, and nothing waits for the largest of them."""

PARAMETERS = ("threads",)


def run(x, counts):
    counts.zero_()
    counts.scatter_add_(0, (x * len(counts)).long(), counts.new_ones(1).expand(len(x)))
