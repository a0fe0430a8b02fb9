"""Functions that draw figures without a kind. Each module has a lecture's name. See accelbench.lectures.kinds."""
