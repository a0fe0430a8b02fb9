"""Tests that the default sweep, for which targets of run time hold, changes only deliberately."""

from default_cases import LISTED, RENEW, planned

from accelbench import config, project


def difference(configuration):
    """Return a message if the cases that a configuration plans differ from those in the file LISTED, else ""."""
    listed, found = LISTED.read_text().splitlines(), planned(configuration)
    more, fewer = [case for case in found if case not in set(listed)], [c for c in listed if c not in set(found)]
    told = [f"{len(cases)} {what}, {cases[0]} first" for what, cases in (("more", more), ("fewer", fewer)) if cases]
    if not told and found != listed:
        told = ["the same in another order"]
    return f"The default sweep plans other cases: {'; '.join(told)}. If intended: {RENEW}" if told else ""


def test_default_sweep_plans_the_listed_cases():
    told = difference(config.read(project.DEFAULT_CONFIG))
    assert not told, told


def test_a_case_more_or_fewer_is_told_with_the_command():
    default = config.read_data(project.DEFAULT_CONFIG)
    kernels = [*config.parse(default).kernels]
    fewer = difference(config.parse(default | {"kernels": kernels[:-1]}))
    assert "fewer" in fewer
    assert "more" not in fewer.replace("other cases", "")
    assert fewer.endswith(RENEW)
    assert "more, scale/" in difference(config.parse(default | {"kernels": [*kernels, "scale"]}))
