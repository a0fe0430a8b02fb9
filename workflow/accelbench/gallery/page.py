"""machines.html: machines beside each other, complete without a script."""

from itertools import groupby
from pathlib import Path

from markupsafe import Markup

from accelbench.figures import canvas, dumbbells, style, svg
from accelbench.gallery import beside
from accelbench.pages import page as pages
from accelbench.pages.pictures import Plot
from accelbench.store import files


def write(machines, path):
    """Write the page of LaidMachines; its path."""
    files.write(Path(path), render(machines))
    return path


def render(machines):
    """The HTML of the page."""
    problems = beside.shared(machines)
    largest = beside.largest(problems)
    canvas.use_style()
    plots = list(_plots(problems, [machine.name for machine in machines]))
    drawn = [(plot, Markup(svg.inline(canvas.drawn(plot.chart), plot.name, plot.points))) for plot in plots]
    return pages.render(
        "accelbench.gallery",
        "machines.html.jinja",
        {"price": price, "joules": style.joules, "unmeasured": lambda machine: beside.unmeasured(machine, machines)},
        machines=machines,
        latest=_latest,
        looks={machine.name: style.machine_look(number) for number, machine in enumerate(machines)},
        variables=style.theme_variables(),
        signs=style.MARKERS,
        answers=_answers(largest, problems),
        smaller=_answers([problem for problem in problems if problem not in largest], problems),
        problems=problems,
        plots=drawn,
        priced=any(machine.cost.price_per_hour for machine in machines),
        calls=f"{beside.CALLS:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        places=beside.PLACES,
    )


def _answers(asked, problems):
    """[(problem, its MachineRaces), ...] of the problems asked for."""
    return [(problem, beside.races(problem, problems[problem])) for problem in asked]


def price(value):
    """A price, in whichever currency it was given."""
    return "–" if value is None else style.significant(value)


def _latest(machine):
    """When a machine was last measured."""
    return max((f"{run.begin:%Y-%m-%d}" for _, run in machine.analysis.results.runs), default=None)


def _plots(problems, names):
    """A Plot for the problems that differ in size alone, the largest on top."""
    for family, own in groupby(problems, key=lambda problem: problem[:3]):
        rows = [
            dumbbells.Dumbbell(machine.name, names.index(machine.name), problem.size, _times(machine, problem))
            for problem in reversed(list(own))
            for machine in problems[problem]
        ]
        chart = dumbbells.Dumbbells(rows)
        title = " ".join(filter(None, (family[0], family[2], family[1])))
        yield Plot(style.slug(title), chart, title, f"Time per call, by where the data are. {chart.alt_text()}")


def _times(machine, problem):
    return {place: (time.seconds, time.record.implementation) for place, time in machine.times[problem].items()}
