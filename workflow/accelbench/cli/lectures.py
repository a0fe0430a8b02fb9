"""Commands on the figures of the lectures: measure, draw, lesson, page."""

from typing import Annotated

import typer

from accelbench.cli.app import Commands, app
from accelbench.cli.options import with_options
from accelbench.errors import InputError

lecture = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    help="Measure and draw the lectures' figures, which config/figures.yaml declares.",
)
app.add_typer(lecture, name="lecture")
Figure = Annotated[str, typer.Argument(help="Id of the figure in config/figures.yaml.")]


@lecture.command("measure")
@with_options("machine", "results", "configfile", "plan", "cores", "log")
def measure_figure(given, figure: Figure):
    """Measure the cases that one figure needs, except those with a valid result in the journals.

    The command builds missing artifacts first. The results folder must have machine.json, the machine's description.

    \b
    Example:
        python -m accelbench lecture measure esrf-speedups
    """
    from accelbench.lectures import entries, needs
    from accelbench.measure import provenance

    provenance.note_configfiles(given.configfiles if given.lecture_config == given.config else [needs.CONFIGURATION])
    config, home, entry = given.lecture_config, given.own_folder, entries.find(figure)
    place = f"figure {list(entries.read()).index(figure) + 1} of {len(entries.read())}"
    needs.measure_figure(
        entry,
        config,
        given.machine,
        home=home,
        cores=given.cores,
        tell=lambda line: typer.echo(f"{place}, {line}", err=True),
    )


@lecture.command("draw")
@with_options("machine", "results", "reports", "plan", "log")
def draw_figure(given, figure: Figure):
    """Draw one figure as SVG, PDF and PNG from its measurements.

    \b
    Example:
        python -m accelbench lecture draw esrf-speedups
    """
    from accelbench.lectures import entries, page

    page.write_figure(entries.find(figure), given.folder, given.reports / given.machine)


@lecture.command("lesson")
@with_options("machine", "results", "reports", "configfile", "cores")
def lecture_lesson(given, lesson: Annotated[str, typer.Argument(help="Name of the lesson in config/lessons.yaml.")]):
    """Measure and draw the figures of one lesson, and write slides with them to reports/MACHINE/LESSON.md.

    \b
    Example:
        python -m accelbench lecture lesson 1h
    """
    from accelbench import config, project
    from accelbench.cli import run
    from accelbench.lectures import entries, page

    declared = project.ROOT / "config" / "lessons.yaml"
    lessons, reports = config.read_data(declared), given.reports / given.machine
    if lesson not in lessons:
        raise InputError(declared, f"there is no lesson {lesson!r}", f"Lessons: {', '.join(lessons)}")
    figures = [entries.find(figure) for figure in lessons[lesson]]
    if status := run.run(
        given.configfile or [],
        given.cores or "all",
        extra=[str(reports / "figures" / f"{figure.id}.svg") for figure in figures],
    ):
        raise typer.Exit(status)
    typer.echo(page.write_deck(given.folder, reports / f"{lesson}.md", figures))


@lecture.command("page")
@with_options("machine", "results", "reports", "plan", "log")
def lecture_page(given):
    """Write lectures.html, slides.md, and a page for each lecture with its drawn figures.

    lectures.html has links to the pages and the names of missing figures. slides.md has all drawn figures.

    \b
    Example:
        python -m accelbench lecture page
    """
    from accelbench.lectures import entries, page

    declared = list(entries.read().values())
    drawn = [entry for entry in declared if page.drawn_file(given.folder, entry).exists()]
    absent = [entry for entry in declared if entry not in drawn]
    if not drawn:
        raise InputError(
            given.folder / "lectures",
            "contains no drawn figure",
            "Draw one: snakemake --cores all reports/local/figures/ID.svg; or all: make lecture",
        )
    typer.echo(page.write_page(given.folder, given.reports / given.machine, drawn, absent=absent))
