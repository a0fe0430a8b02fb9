"""Tests of invalid configurations: each gives one message that names the file, the problem and a remedy."""

import configurations
import pytest
from command_line import invoke

from accelbench import config
from accelbench.config import select
from accelbench.errors import InputError

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("processes: 3", "unknown key 'processes'. Keys here: "),
        ("protocol: {nope: 1}", "unknown key 'protocol.nope'. Keys here: budget_s, "),
        ("kernels: {twice: {size: [1]}}", "unknown key 'kernels.twice.size'. Keys here: block_sizes, "),
        ("machines: {local: {host: x}}", "unknown key 'machines.local.host'. Keys here: constraint, cores, gpu"),
        ("1: 2", "[1]: is not a key"),
        # invalid numbers
        ("protocol: {budget_s: .nan}", "protocol.budget_s: must be a finite number (given: nan)"),
        ("protocol: {budget_s: .inf}", "protocol.budget_s"),
        ("protocol: {timeout_s: 1e30}", "protocol.timeout_s: must be less than or equal to 86400"),
        ("protocol: {budget_s: true}", "protocol.budget_s: must be a number (given: True)"),
        ("protocol: {budget_s: long}", "protocol.budget_s: must be a number (given: 'long')"),
        (
            "protocol: {repetitions: true}",
            "protocol.repetitions: True is not a number of repetitions: write a whole number",
        ),
        ("protocol: {repetitions: 0}", "protocol.repetitions: 0 is not a number of repetitions"),
        ("protocol: {repetitions: '3'}", "protocol.repetitions: '3' is not a number of repetitions"),
        ("protocol: {min_rounds: 100000000000}", "protocol.min_rounds"),
        ("protocol: {memory_fraction: .nan}", "protocol.memory_fraction"),
        ("protocol: {memory_fraction: true}", "protocol.memory_fraction: must be a number (given: True)"),
        ("protocol: {timeout_s: 1e-320}", "protocol.timeout_s: must be greater than or equal to 0.1 (given: 1e-320)"),
        ("protocol: {memory_fraction: 1e-300}", "protocol.memory_fraction: must be greater than or equal to 0.000001"),
        ("protocol: {repetitions: 2147483647}", "protocol.repetitions: 2147483647 is not a number of repetitions"),
        ("protocol: {repetitions: {min: 3, max: 2}}", "protocol.repetitions: min is 3, more than max, 2"),
        ("protocol: {repetitions: {min: 6}}", "protocol.repetitions: min is 6, more than max, 5"),
        ("protocol: {repetitions: {max: 0}}", "protocol.repetitions.max: must be greater than 0 (given: 0)"),
        ("protocol: {repetitions: {least: 2}}", "unknown key 'protocol.repetitions.least'. Keys here: max, min"),
        ("protocol: {budget_s: 1:30.5}", "protocol.budget_s: must be a number (given: '1:30.5')"),
        ("protocol: {seed: -1}", "protocol.seed"),
        ("protocol: {seed: 1.0}", "protocol.seed: must be a whole number"),
        ("protocol: {seed: 99999999999999999999}", "protocol.seed"),
        ("protocol: {cache: warm}", "protocol.cache: must be 'hot' or 'cold' (given: 'warm')"),
        ("protocol: 3", "protocol: must be a mapping"),
        ("peaks: 1", "peaks: must be true or false (given: 1)"),
        # sizes
        ("kernels: {twice: {sizes: [-1]}}", "kernels.twice.sizes[0]: must be greater than or equal to 0"),
        ("kernels: {twice: {sizes: [many]}}", "kernels.twice.sizes[0]: must be a whole number (given: 'many')"),
        ("kernels: {twice: {sizes: [1, '5']}}", "kernels.twice.sizes[1]: must be a whole number (given: '5')"),
        ("kernels: {twice: {sizes: [5.0]}}", "kernels.twice.sizes[0]"),
        ("kernels: {twice: {sizes: [1e3]}}", "kernels.twice.sizes[0]: must be a whole number (given: 1000.0)"),
        ("kernels: {twice: {sizes: [true]}}", "kernels.twice.sizes[0]"),
        ("kernels: {twice: {sizes: [.nan]}}", "kernels.twice.sizes[0]"),
        ("kernels: {twice: {sizes: [9223372036854775808]}}", "kernels.twice.sizes[0]: must be less than"),
        ("kernels: {twice: {sizes: []}}", "kernels.twice.sizes: is empty"),
        ("kernels: {twice: {sizes: 5}}", "kernels.twice.sizes: must be a list"),
        ("sizes: [1:30]", "sizes[0]: must be a whole number (given: '1:30')"),
        ("sizes: [010]", "sizes[0]: must be a whole number (given: '010')"),
        (f"sizes: [{'1, ' * 2000}]", "sizes: has more than 1000 entries"),
        ("sizes: [-1]", "sizes[0]: must be greater than or equal to 0"),
        # other lists
        ("kernels: {}", "kernels: is empty"),
        ("kernels: []", "kernels: is empty"),
        ("threads: []", "threads: is empty"),
        ("threads: [0]", "threads[0]: 0 is not a number of threads"),
        ("threads: [ALL]", "threads[0]: 'ALL' is not a number of threads"),
        (
            "threads: [2147483647]",
            "threads[0]: 2147483647 is not a number of threads: write a whole number from 1 to",
        ),
        ("threads: [true]", "threads[0]: True is not a number of threads"),
        ("threads: [2.0]", "threads[0]"),
        ("threads: [100000000000000000000]", "threads[0]"),
        ("threads: all", "threads: must be a list"),
        ("block_sizes: [0]", "block_sizes[0]: 0 is not a block size"),
        ("block_sizes: [-64]", "block_sizes[0]"),
        ("block_sizes: [1e999]", "block_sizes[0]"),
        ("block_sizes: ['٣']", "block_sizes[0]"),
        ("block_sizes: [16x16]", "block_sizes: 16x16 has two dimensions"),
        ("block_sizes_2d: [16x16x16]", "block_sizes_2d[0]"),
        ("kernels: {twice: {block_sizes: [16x16]}}", "kernels.twice.block_sizes: 16x16 has two dimensions"),
        ("block_sizes_cpu: [16x16]", "block_sizes_cpu: 16x16 has two dimensions"),
        ("device: -1", "device: -1 is not a GPU"),
        ("device: true", "device: True is not a GPU"),
        ("device: ALL", "device: 'ALL' is not a GPU"),
        # names that match nothing, or are no valid folder names
        ("preset: Default", "preset: must be 'smoke', 'default' or 'lecture' (given: 'Default')"),
        ("kernels: [nope]", "kernels: no kernel 'nope'. Kernels here: twice"),
        ("kernels: ['../twice']", "'../twice' is not a valid name of a kernel"),
        ("kernels: ['a;rm -rf b']", "is not a valid name of a kernel"),
        ("kernels: [twicé]", "is not a valid name of a kernel"),
        ("kernels: [[twice]]", "is not a name of a kernel"),
        ("kernels: [{twice: {}}]", "write kernels with settings as a mapping"),
        ("kernels: [1]", "1 is not a name of a kernel"),
        ("kernels: twice", "kernels: must be a mapping"),
        ("kernels: {twice: smoke}", "kernels.twice: must be a mapping"),
        ("kernels: {twice: false}", "kernels.twice: must be a mapping"),
        ("implementations: [fortran_*]", "implementations: 'fortran_*' matches no implementation"),
        ("implementations: ['']", "implementations[0]: is empty text"),
        (
            "kernels: {twice: {implementations: [nope]}}",
            "'nope' matches no implementation. The kernel has: numpy_ufunc",
        ),
        ("backends: [fortran]", "backends[0]: there is no backend 'fortran': the backends are "),
        ("dtypes: [float65]", "dtypes: no kernel has 'float65'"),
        ("dtypes: float64", "dtypes: must be a list"),
        (
            "kernels: {twice: {dtypes: [float16]}}",
            "'float16' is not one of its dtypes. The kernel has: float64, float32",
        ),
        ("machines: {'../x': {}}", "machines.../x: '../x' is not a valid name of a machine"),
        ("machines: {'a$(b)': {}}", "machines.a$(b): 'a$(b)' is not a valid name of a machine"),
        ("machines: {examples: {}}", "reports/examples contains other files"),
        (f"machines: {{{'a' * 65}: {{}}}}", "is not a valid name of a machine"),
        ("machines: [local]", "machines: must be a mapping"),
        ("build: {cc: 'gcc; rm'}", "build.cc[0]: contains characters that are not allowed"),
        ("build: {cc: [gcc, clang]}", "build: cc has 2 compilers and cxx 1: name a C++ compiler for each"),
        ("build: {cc: [gcc, /b/gcc], cxx: [g++, c++]}", "cc: gcc, /b/gcc have the same label"),
        ("build: {cc: -x}", "build.cc[0]: contains characters that are not allowed (given: '-x')"),
        ("build: {cflags: -O3}", "build.cflags: must be a list"),
        ('build: {cflags: ["\\0"]}', "build.cflags[0]"),
        ("build: {cuda_architectures: [90]}", "build.cuda_architectures[0]: must be text"),
        # the kernel's options
        ("kernels: {twice: {options: {m: 3}}}", "kernels.twice.options: no option 'm'. The kernel has: factor"),
        ("kernels: {twice: {options: {factor: []}}}", "kernels.twice.options.factor: is empty"),
        ("kernels: {twice: {options: {factor: true}}}", "kernels.twice.options.factor[0]: True is not a number with"),
        ("kernels: {twice: {options: {factor: .nan}}}", "kernels.twice.options.factor[0]: nan is not a number with"),
        ("kernels: {twice: {options: {factor: '3'}}}", "kernels.twice.options.factor[0]: '3' is not a number with"),
        ("kernels: {twice: {options: {factor: 2.5}}}", "kernels.twice.options.factor: 2.5 is not a whole number"),
        ("kernels: {twice: {options: {factor: 0}}}", "kernels.twice.options.factor: 0 does not work: inputs fails"),
        # files that are no valid configuration
        ("a: [", "own.yaml:"),
        ("a: 1\na: 2", "own.yaml:3: is not YAML: the key 'a' occurs twice"),
        ("protocol: {seed: 1, seed: 2}", "own.yaml:2: is not YAML: the key 'seed' occurs twice"),
        ("preset: 2001-99-99", "is not YAML: month must be in 1..12"),
        ("preset: !custom smoke", "is not YAML"),
        ("preset: " + "[" * 5000, "own.yaml: is not YAML: maximum recursion depth exceeded"),
        ("a: &a [*a]", "own.yaml:1: is not YAML: it has more than 50000 values after expansion of its aliases"),
        ("x: " * 50_000, " bytes. Such a file has at most 100000"),
    ],
)
def test_configuration(place, text, told):
    path = "" if "kernels_path" in text else f"kernels_path: [{str(place.folder / 'kernels')!r}]\n"
    place.own.write_text(path + text)
    with pytest.raises(InputError) as caught:
        place.plan()
    assert told in str(caught.value)
    assert "own.yaml" in caught.value.where
    assert len(caught.value.remedy) > 10
    assert "\n" not in str(caught.value)


def test_fuzzed_configuration_is_accepted_or_one_message():
    counts = configurations.run(seed=20230308, count=150)
    wrong = {name: number for name, number in counts.items() if number and name != "configurations"}
    assert (counts["configurations"], wrong) == (150, {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"- a", "is a list, not a mapping"),
        (b"42", "is a int, not a mapping"),
        (b"just text", "is a str, not a mapping"),
        (b"", "is empty. Write {} into it"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"\0", "is not YAML"),
        (b'!!python/object/apply:os.system ["true"]', "is not YAML"),
        (None, "cannot be read: No such file"),
    ],
)
def test_configuration_file_that_is_none(place, text, told):
    if text is None:
        place.own.unlink()
    else:
        place.own.write_bytes(text)
    for command in ("list", "run"):
        where = ["--configfile", place.own]
        result = invoke(command, *map(str, where))
        assert result.exit_code == 2
        assert told in result.stderr
        assert str(place.own) in result.stderr


@pytest.mark.parametrize("path", ["/nowhere", "/etc/passwd", "~/no such folder", "../../nowhere"])
def test_kernels_path_that_is_no_folder(place, path):
    place.configure({"kernels_path": [path]})
    with pytest.raises(InputError, match=r"own\.yaml: kernels_path: there is no folder .*Create it, or correct"):
        place.plan()


def test_kernels_path_in_the_home_folder(place, monkeypatch):
    monkeypatch.setenv("HOME", str(place.folder))
    place.configure({"kernels_path": ["~/kernels"]})
    assert list(place.plan()) == ["twice"]


def test_section_without_keys_is_empty():
    assert config.parse({"protocol": None, "build": None, "machines": {"local": None}}) == config.Config()
    assert config.parse({"kernels": {"twice": None}}) == config.parse({"kernels": ["twice"]})


def test_value_given_twice_is_measured_once(place):
    sweep = {"sizes": [5, 5], "dtypes": ["float64"] * 2, "options": {"factor": [2, 2]}, "block_sizes": [64, "64"]}
    place.configure({"kernels": {"twice": sweep}, "threads": [1, 1]})
    given = config.read(place.own)
    assert given.threads == (1,)
    assert given.sweep("twice").model_dump(exclude={"implementations"}) == {
        "sizes": (5,),
        "dtypes": ("float64",),
        "options": {"factor": (2,)},
        "block_sizes": (64,),
    }


def test_names_are_checked_by_every_command(place):
    place.configure({"implementations": ["fortran_*"]})
    assert "matches no implementation" in place.refusal("measure", "twice")
    assert not (place.folder / "results").exists()


def test_pattern_of_variants_that_no_chosen_kernel_has_is_no_mistake(tmp_path):
    """The pattern matches `nanobind_c_openmp`, a variant of the file nanobind_c.py in other kernels."""
    path = tmp_path / "own.yaml"
    path.write_text("kernels: [fill]\nimplementations: ['numpy_*', 'nanobind_*openmp']\n")
    kernels, refused = select.plan(config.read(path), path)
    assert {"numpy_fill", "numpy_ones"} <= set(kernels["fill"].implementations)
    assert not refused
