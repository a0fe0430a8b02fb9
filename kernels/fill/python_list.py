"""A list of ones by multiplication: of references to one Python float."""


def run(out):
    return [1.0] * out.size
