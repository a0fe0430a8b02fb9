"""Functions of figures without a kind, in modules named after the lecture. See accelbench.lectures.kinds."""
