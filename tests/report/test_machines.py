"""Tests of the page of all machines: fastest machine for each place of data, energy, price, published page."""

import html
import json
import math
import re
import shutil
from dataclasses import replace
from functools import partial

import command_line
import pretended_results.cpu
import pytest
from browser import look, needs_chromium
from read_results import read

from accelbench import config, project
from accelbench.analysis import Analysis
from accelbench.config import MachineRequest
from accelbench.config.select import EffectiveConfig
from accelbench.decide import Answers
from accelbench.errors import InputError
from accelbench.figures import style
from accelbench.kernels import catalog
from accelbench.model.device import Backend, Device
from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata
from accelbench.model.record import Record
from accelbench.model.results import Results
from accelbench.report import machines
from accelbench.store import files
from accelbench.store.load import machine_folders

EXAMPLES = project.ROOT / "reports" / "examples"
PAGE = EXAMPLES / "machines.html"
GPU = "GPU 9000"


def record(machine, way, seconds, device="cpu", **fields):
    """Return a Record of three repetitions whose times differ by 1 %, or by the fraction `apart`."""
    apart = fields.pop("apart", 0.01)
    spread = (math.exp(-apart), 1, math.exp(apart))
    times = {"compute": seconds, **fields.pop("times", {})}
    return Record(
        machine=machine,
        kernel="twice",
        implementation=way,
        backend=way.split("_")[0],
        device=device,
        size=fields.pop("size", 1000),
        dtype="float64",
        threads=None if device == GPU else 1,
        outcome="ok",
        repetitions=list("abc"),
        timings={kind: pretended_results.timing([[s * f] * 3 for f in spread]) for kind, s in times.items()},
        **fields,
    )


def machine(name, records, cost=None, link=None, virtualised=False):
    """Return a ComparedMachine of records, on which CuPy has one GPU."""
    described = Machine(**pretended_results.machine() | {"name": name, "virtualised": virtualised})
    here = Backend(True, None, {}, [Device(GPU, "gpu")])
    described = described.model_copy(update={"backends": described.backends | {"cupy": here}})
    metadata = KernelMetadata(**pretended_results.metadata("twice", "numpy_ufunc"))
    analysis = Analysis(Results(described, {"twice": metadata}, records))
    return machines.ComparedMachine(name, analysis, link, MachineRequest(**cost or {}))


def with_gpu(name="gpu", cost=None, **fields):
    times = {"call": 3e-6, "end_to_end": 80e-6, "end_to_end_pinned": 20e-6}
    records = [
        record(name, "numpy_ufunc", 100e-6),
        record(name, "numba_njit", 50e-6),
        record(name, "cupy_raw", 2e-6, GPU, times=times, **fields),
    ]
    return machine(name, records, cost)


def cores_alone(name="cpu", cost=None, seconds=30e-6, **fields):
    return machine(name, [record(name, "numpy_ufunc", 200e-6), record(name, "cffi_api", seconds, **fields)], cost)


PROBLEM = "twice", "", "float64", 1000


# Which machine is fastest


def test_where_the_data_are_decides_what_is_fastest_on_a_machine():
    own = with_gpu().times[PROBLEM]
    assert {place: (best.case.record.implementation, best.seconds) for place, best in own.items()} == {
        "resident": ("cupy_raw", pytest.approx(2e-6)),
        "pinned": ("cupy_raw", pytest.approx(20e-6)),
        "pageable": ("numba_njit", pytest.approx(50e-6)),
    }


def test_cores_take_as_long_wherever_the_data_are():
    assert [time.seconds for time in cores_alone().times[PROBLEM].values()] == [pytest.approx(30e-6)] * 3


@pytest.mark.parametrize("name", ["cpu", "h200"])
def test_a_machine_has_the_lowest_time_of_its_decide_page(name):
    """The page of all machines and the machine's page give the same time for the same implementation."""
    analysis = read(EXAMPLES / name)
    answers, compared = Answers(analysis), machines.ComparedMachine(name, analysis).times
    assert len(compared) > 10
    for family, sizes in answers.sizes.items():
        for size in sizes:
            for place, best in compared.get((*family.problems, size), {}).items():
                ranking = answers.at(family, size, place=place).ranking
                assert best in ranking
                assert best.seconds == min(row.seconds for row in ranking if not row.case.implausible)


def outcome(race):
    return race.decision, race.fastest


def test_fastest_machine_by_where_the_data_are():
    from_host, resident = machines.races(PROBLEM, [cores_alone(seconds=10e-6), with_gpu()])
    assert [machine.name for machine, _ in from_host.ranked] == ["cpu", "gpu"]
    assert [machine.name for machine, _ in resident.ranked] == ["gpu", "cpu"]
    assert (outcome(from_host), outcome(resident)) == (("winner", ("cpu",)), ("winner", ("gpu",)))


@pytest.mark.parametrize(
    ("seconds", "apart", "told"),
    [
        (20.2e-6, 0.001, "tie"),  # 0.6 to 1.4 % longer than the GPU's time
        (20.2e-6, 0.01, "unknown"),  # -2.5 to 4.6 % longer than the GPU's time
        (20.2e-6, 0.5, "unknown"),
        (69e-6, 0.7, "unknown"),  # 3.45 times as long, with an interval too wide for a decision
        (30e-6, 0.01, "winner"),
        (20.6e-6, 0.001, "winner"),
    ],
)
def test_a_tie_is_of_machines_that_are_the_same_and_not_of_what_scatters(seconds, apart, told):
    from_host, _ = machines.races(
        PROBLEM, [cores_alone(seconds=seconds, apart=apart), with_gpu(apart=min(apart, 0.01))]
    )
    assert outcome(from_host) == (told, ("gpu",) if told == "winner" else ("gpu", "cpu"))


def test_on_a_virtual_machine_a_tie_is_within_5_per_cent():
    both = [cores_alone(seconds=20.7e-6, apart=0.003), with_gpu(apart=0.003)]  # the cores take 2.4 to 4.6 % longer
    assert outcome(machines.races(PROBLEM, both)[0]) == ("winner", ("gpu",))
    both = [cores_alone(seconds=20.4e-6, apart=0.003), with_gpu(apart=0.003)]  # the cores take 0.9 to 3.1 % longer
    assert outcome(machines.races(PROBLEM, both)[0]) == ("unknown", ("gpu", "cpu"))
    virtual = machine("gpu", both[1].analysis.results.records, virtualised=True)
    assert outcome(machines.races(PROBLEM, [both[0], virtual])[0]) == ("tie", ("gpu", "cpu"))


def test_what_is_slower_than_one_proven_slower_is_not_named_among_the_fastest():
    between, wild = cores_alone("between", seconds=30e-6), cores_alone("wild", seconds=40e-6, apart=0.5)
    assert outcome(machines.races(PROBLEM, [with_gpu(), between, wild])[0]) == ("winner", ("gpu",))
    assert outcome(machines.races(PROBLEM, [with_gpu(), wild])[0]) == ("unknown", ("gpu", "wild"))


def test_what_was_measured_once_is_not_sure():
    once = machine("once", [pretended_results.once(one) for one in cores_alone().analysis.results.records])
    from_host, _ = machines.races(PROBLEM, [once, with_gpu()])
    assert outcome(from_host) == ("one_process", ("gpu",))


def test_energy_is_measured_or_by_the_power_that_was_given():
    assert with_gpu().energy_j(PROBLEM) is None
    assert with_gpu(energy_j=7e-4, cost={"power_w": 900}).energy_j(PROBLEM) == (7e-4, "of the GPU, measured")
    joules, told = cores_alone(cost={"power_w": 60}).energy_j(PROBLEM)
    assert joules == pytest.approx(60 * 30e-6)
    assert told == "of the machine, at 60 W"


def test_price_is_that_of_a_million_calls_from_host_memory():
    """A million calls of 20 µs take 20 s, 1/180 of an hour."""
    assert with_gpu().price(PROBLEM) is None
    assert with_gpu(cost={"price_per_hour": 3.6}).price(PROBLEM) == pytest.approx(3.6 / 180)


def test_problems_of_several_machines_alone_are_laid_beside_each_other():
    alone = machine("big", [record("big", "numpy_ufunc", 1e-3, size=size) for size in (1000, 5000)])
    problems = machines.shared([alone, cores_alone()])
    assert {size: [machine.name for machine in own] for (*_, size), own in problems.items()} == {1000: ["big", "cpu"]}
    assert not machines.shared([alone])


def test_largest_problem_of_most_machines_is_shown_first():
    several = [
        machine(name, [record(name, "numpy_ufunc", 1e-3, size=size) for size in sizes])
        for name, sizes in {"a": (1000, 2000, 5000), "b": (1000, 2000, 5000), "c": (1000, 2000)}.items()
    ]
    assert [size for *_, size in machines.largest(machines.shared(several))] == [2000]


def test_cores_that_were_measured_with_less_are_named():
    assert machines.unmeasured([with_gpu(), cores_alone()]) == {"gpu": ["cffi"], "cpu": ["numba"]}


# Prices in the configuration


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"price_per_hour": -1}, "machines.h100.price_per_hour"),
        ({"price_per_hour": "cheap"}, "machines.h100.price_per_hour"),
        ({"power_w": 0}, "machines.h100.power_w"),
        ({"power_w": math.inf}, "machines.h100.power_w"),
        ({"price": 1}, "machines.h100.price"),
    ],
)
def test_bad_prices_are_one_error_each(written, told):
    with pytest.raises(InputError, match=re.escape(told)) as error:
        config.parse({"machines": {"h100": written}}, "my.yaml")
    assert str(error.value).startswith("my.yaml")
    assert "\n" not in str(error.value)


def test_nothing_is_measured_by_a_price():
    priced = config.parse({"machines": {"local": {"price_per_hour": 3.2, "power_w": 900}}})
    assert priced.machines["local"].is_here
    assert not {"price_per_hour", "power_w"} & set(config.REQUESTS)
    kernel = catalog.load(project.ROOT / "kernels" / "vector_sum")
    plain = config.parse({})
    assert EffectiveConfig.of(priced, kernel) == replace(EffectiveConfig.of(plain, kernel), whole=priced)


# The page


invoke = partial(command_line.invoke, "machines")


def test_page_says_who_is_fastest_and_what_it_costs():
    text = machines.render([with_gpu(cost={"price_per_hour": 3.6}), cores_alone(cost={"power_w": 60}, seconds=10e-6)])
    words = " ".join(
        html.unescape(re.sub(r"<(svg|style|script)\b.*?</\1>|<[^>]+>", " ", text, flags=re.DOTALL)).split()
    )
    assert "from host memory and back cpu 10.0 µs cffi_api gpu 2.00×" in words
    assert "data resident gpu 2.00 µs cupy_raw on GPU 9000 cpu 5.00×" in words
    assert "600 µJ of the machine, at 60 W" in words
    assert "0.0200" in words
    assert "these backends were measured only on other machines' cores: numba" in words


@pytest.mark.parametrize(
    ("apart", "told"), [(0.001, "● gpu , a tie with ■ cpu"), (0.01, "not known: ● gpu or ■ cpu"), (0.5, "not known")]
)
def test_page_says_what_is_not_known(apart, told):
    text = machines.render([with_gpu(apart=min(apart, 0.01)), cores_alone(seconds=20.2e-6, apart=apart)])
    shown = re.sub(r'data-sign="(.)">', r">\1 ", text)
    assert told in " ".join(re.sub(r"<(svg|style|script)\b.*?</\1>|<[^>]+>", " ", shown, flags=re.DOTALL).split())


def test_a_mark_says_by_its_shape_which_machine_and_by_its_filling_where_the_data_are():
    both = [with_gpu(), cores_alone()]
    (plot,) = machines._plots({PROBLEM: both}, [own.name for own in both])
    chart = plot.chart
    marks = {line.get_gid(): line for line in chart.draw().axes[0].lines}
    gpu, cpu = ([marks[f"point{n}"] for n in own] for own in (range(3), range(3, 6)))
    assert {mark.get_marker() for mark in gpu} == {"o"}
    assert {mark.get_marker() for mark in cpu} == {"s"}
    assert [mark.get_fillstyle() for mark in gpu] == ["full", "left", "full"]
    assert [mark.get_markerfacecolor() for mark in gpu] == [style.MACHINES_LIGHT[0]] * 2 + [style.PAGE]
    assert {mark.get_markerfacecolor() for mark in cpu} == {style.MACHINES_LIGHT[1]}
    assert [sign.sign for sign in chart.key()] == ["●", "◐", "○"]
    text = machines.render(both)
    assert re.findall(r'data-sign="(.)">(\w+)<', text)[:2] == [("●", "gpu"), ("■", "cpu")]


def test_without_prices_there_is_no_column_of_them():
    assert "price of" not in machines.render([with_gpu(), cores_alone()])


def test_page_says_what_a_price_and_energy_want():
    bare = machines.render([with_gpu(energy_j=7e-4), cores_alone()])
    assert "To show prices, set <code>price_per_hour</code> in the configuration." in bare
    assert '<td class="number" data-label="energy">–</td>' in bare
    assert "set <code>power_w</code>" in bare
    costs = {"price_per_hour": 3.6, "power_w": 60}
    assert "set <code>" not in machines.render([with_gpu(cost=costs), cores_alone(cost=costs)])


def test_two_folders_of_one_name_are_refused():
    example = next(EXAMPLES.glob("*/machine.json")).parent
    with pytest.raises(InputError, match="has the same name as"):
        machines.load([example, EXAMPLES / ".." / "examples" / example.name], {}, "machines.html")


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A folder with results/ and reports/ of two machines. `slow` takes three times as long as `quick`."""
    return write_machines(tmp_path_factory.mktemp("several"))


def write_machines(place, **options):
    for name, factor in (("quick", 1), ("slow", 3)):
        folder = pretended_results.cpu.write(place / "results" / name, kernels=("monte_carlo_pi",), **options)
        for path in folder.glob("timings/*.jsonl"):
            path.write_text("".join(slowed(line, factor) for line in path.open()))
        files.write(place / "reports" / name / "index.html", "")
    return place


def slowed(line, factor):
    """Return the line of a record with all its times multiplied by `factor`."""
    one = json.loads(line)
    for timing in (one["timings"] or {}).values():
        timing["samples_s"] = [[sample * factor for sample in own] for own in timing["samples_s"]]
        for name in [name for name, value in timing.items() if name.endswith("_s") and isinstance(value, float)]:
            timing[name] *= factor
    return json.dumps(one) + "\n"


def write_all(place, costs=()):
    path = machines.write_all(place / "results", place / "reports", costs=dict(costs))
    assert path == place / "reports" / "machines.html"
    return path.read_text("utf-8")


def test_faster_machine_wins_every_problem(several):
    text = write_all(several, {"slow": MachineRequest(power_w=60), "elsewhere": MachineRequest(power_w=1)})
    assert text.count('href="quick/index.html"') == text.count('href="slow/index.html"') == 1
    fastest = re.findall(r'data-label="fastest"><span>(.*?)</td>', text, re.S)
    others = re.findall(r'data-label="the others take"><span>(.*?)</td>', text, re.S)
    assert len(fastest) == len(others) > 2
    assert all(">quick<" in one and ">slow<" not in one for one in fastest)
    assert all(">slow</span> 3.00×" in one for one in others)
    assert text.count("of the machine, at 60 W") == len(fastest) / 2


def test_one_machine_is_simply_linked(several, tmp_path):
    shutil.copytree(several, tmp_path / "one")
    shutil.rmtree(tmp_path / "one" / "results" / "slow")
    text = write_all(tmp_path / "one")
    assert 'href="quick/index.html"' in text
    assert "slow" not in text.partition("<main")[2].partition("<script")[0]
    assert "<table" not in text


def test_a_machine_whose_results_are_damaged_is_named_and_left_out(several, tmp_path):
    shutil.copytree(several, tmp_path / "two")
    (tmp_path / "two" / "results" / "slow" / "timings" / "monte_carlo_pi.jsonl").write_text("{\n")
    text = write_all(tmp_path / "two")
    assert 'href="quick/index.html"' in text
    assert "slow is left out" in text
    assert "monte_carlo_pi.jsonl:1" in text


@pytest.mark.slow
def test_published_page_is_made_again_to_the_last_byte(tmp_path):
    folders = machine_folders(EXAMPLES)
    copied = tmp_path / "examples"
    copied.mkdir()
    for folder in folders:
        for name in ("kernels", "timings"):
            shutil.copytree(folder / name, copied / folder.name / name, ignore=shutil.ignore_patterns("*.html"))
        shutil.copy(folder / "machine.json", copied / folder.name)
        (copied / folder.name / "index.html").touch()
    done = invoke(*(copied / folder.name for folder in folders), "--output", copied / "machines.html")
    assert done.exit_code == 0, done.output
    assert (copied / "machines.html").read_text("utf-8") == PAGE.read_text("utf-8")


def test_published_page_stands_alone_and_is_small():
    text = PAGE.read_text("utf-8")
    assert len(text.encode()) < 400_000
    assert "default-src 'none'" in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert not re.search(r"(?<![\w.])/(?:home|root|work|tmp)/\w", text)
    links = re.findall(r'href="([^"#]+)"', text)
    assert len(links) >= 3
    assert {link for link in links if not (EXAMPLES / link).is_file()} <= {  # `make examples` renders these pages
        f"{folder.name}/index.html" for folder in machine_folders(EXAMPLES)
    }
    anchors = re.findall(r'href="#([^"]+)"', text)
    assert all(f'id="{anchor}"' in text for anchor in anchors)


def in_windows(page, measured):
    """Call the JavaScript function `measured` with a page's root element in frames 390 and 1440 pixels wide.

    Return both results.
    """
    script = f"""
    for (const width of [390, 1440])
      found.push(({measured})((await visit("{page.name}", width)).contentDocument.documentElement));
    return found;
    """
    return look(page.parent, script)[0]


@needs_chromium
def test_published_page_scrolls_to_no_side():
    phone, wide = in_windows(PAGE, "(root) => [root.scrollWidth, root.clientWidth]")
    assert phone[0] == phone[1] > 300
    assert wide[0] == wide[1] > 1400


@needs_chromium
def test_which_machine_is_fastest_stands_on_the_first_screen(tmp_path):
    several = [with_gpu(), *(cores_alone(f"cpu{number}") for number in range(7))]
    (tmp_path / "several.html").write_text(machines.render(several), "utf-8")
    row = '(root) => root.querySelector("#answers tbody tr").getBoundingClientRect().bottom'
    assert all(0 < bottom < 900 for bottom in in_windows(tmp_path / "several.html", row))
