"""Tests that NumPy, C, Cython and Numba are comparable: each has a strict, native version of the main algorithm.

C, Cython and Numba also have such a version with several threads. OF_DEVICES, ONE_THREAD and HOLLOW list exceptions.
"""

import pytest

from accelbench import config, project
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog

KERNELS = {path.parent.name: catalog.load(path.parent) for path in (project.ROOT / "kernels").glob("*/kernel.py")}
SHIPPED = [
    path.name
    for path in (project.ROOT / "config").glob("*.yaml")
    if path.name not in ("figures.yaml", "lecture.yaml", "lessons.yaml")
]
WAYS = {"NumPy": ("numpy",), "C": ("cffi", "ctypes"), "Cython": ("cython",), "Numba": ("numba",)}
OF_DEVICES = {"copy_overlap", "memory_pool", "peer_copy", "transfer"}  # Kernels that compare only GPU libraries
ONE_THREAD = {"call", "launch", "trace"}  # Kernels with too little work for threads
HOLLOW = {
    ("fft", "C"): "calls no library of transforms",
    ("fft", "Cython"): "calls no library of transforms",
    ("fft", "Numba"): "calls no library of transforms",
    ("svd", "C"): "calls no LAPACK",
    ("svd", "Cython"): "calls no LAPACK",
}


def is_base(kernel, implementation, build):
    found = implementation.algorithm, implementation.math(build), implementation.target(build)
    return found == (next(iter(kernel.spec.algorithms)), "strict", "native")


def unlike(kernel, chosen, build, ways=WAYS):
    """Yield a message for each way (such as NumPy or C) that lacks a comparable version, or one with threads."""
    base = [implementation for implementation in chosen if is_base(kernel, implementation, build)]
    for way, names in ways.items():
        own = [i for i in base if i.backend in names and i.toolchain != "rust"]
        if not own and (kernel.name, way) not in HOLLOW:
            yield f"{way}: none of the main algorithm, strict and native"
        elif own and way != "NumPy" and kernel.name not in ONE_THREAD and not any(i.threads for i in own):
            yield f"{way}: one thread alone"


@pytest.mark.parametrize("kernel", sorted(KERNELS.keys() - OF_DEVICES))
def test_every_way_has_a_version_that_is_like_the_others(kernel):
    chosen = KERNELS[kernel].implementations.values()
    assert list(unlike(KERNELS[kernel], chosen, config.Build())) == []


@pytest.mark.parametrize("file", SHIPPED)
def test_what_a_configuration_compares_is_alike(file):
    shipped = config.read(project.ROOT / "config" / file)
    found = {}
    for name in shipped.kernels:
        kernel = EffectiveConfig.of(shipped, KERNELS[name])
        chosen = kernel.implementations.values()
        ways = {way: names for way, names in WAYS.items() if any(i.backend in names for i in chosen)}
        found[name] = list(unlike(KERNELS[name], chosen, kernel.build, ways))
    assert {name: problems for name, problems in found.items() if problems and name not in OF_DEVICES} == {}


def test_hollow_ways_are_hollow():
    for kernel, way in HOLLOW:
        own = [i for i in KERNELS[kernel].implementations.values() if i.backend in WAYS[way]]
        assert not any(is_base(KERNELS[kernel], i, config.Build()) for i in own)


def test_unlike_is_told():
    kernel = KERNELS["vector_sum"]
    chosen = [kernel.implementations[name] for name in ("numpy_sum", "cffi_api", "cython_openmp_fast", "numba_lanes")]
    problem = "none of the main algorithm, strict and native"
    assert list(unlike(kernel, chosen, config.Build())) == [f"C: {problem}", f"Cython: {problem}"]
