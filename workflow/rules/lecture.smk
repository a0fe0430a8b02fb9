# The lectures' figures: each is measured and drawn by itself, so that one of them alone measures what it needs and no
# more; the journal sees to it that what two of them need is measured once.
wildcard_constraints:
    figure="[a-z0-9-]+",


rule lecture:
    input:
        expand("reports/{machine}/lectures.html", machine=MACHINES),
        lambda wildcards: expand(
            "results/{machine}/lectures/{figure}/measured.json", machine=MACHINES, figure=get_entries()
        ),
    message:
        "All figures of the lectures are there"


rule measure_figure:
    input:
        machine="results/{machine}/machine.json",
        manifests=get_figure_manifests,
    output:
        measured="results/{machine}/lectures/{figure}/measured.json",
    log:
        "results/{machine}/logs/measure_figure/{figure}.log",
    # Figures are measured in the order of their entries.
    priority: lambda wildcards: FIRST_REPETITION - list(get_entries()).index(wildcards.figure)
    conda:
        "../../envs/base.yaml"
    # Every core, so that nothing else of this workflow runs beside a timing.
    threads: get_all_cores
    resources:
        **NODE,
        mem_mb=8000,
        runtime=120,
    params:
        sources=get_figure_sources,
        package=get_package("measure/merge", "statistics"),
        settings=lambda wildcards: json.dumps(LECTURE.model_dump(mode="json"), sort_keys=True),
        needs=get_figure_settings,
        here=get_here,
        place=lambda wildcards: f"{list(get_entries()).index(wildcards.figure) + 1} of {len(get_entries())}",
        results=get_root(4),
    message:
        "Measuring for the figure {wildcards.figure} on {wildcards.machine} (figure {params.place})"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench lecture measure {wildcards.figure} '
        "--cores {threads} --machine {wildcards.machine} --results {params.results:q} --settings {params.settings:q} "
        "--log {log:q}"


rule draw_figure:
    input:
        machine="results/{machine}/machine.json",
        measured="results/{machine}/lectures/{figure}/measured.json",
        profiles=get_profiles,
    output:
        svg=report(
            "reports/{machine}/figures/{figure}.svg",
            category="Lectures",
            caption="../report/lectures.rst",
            labels={"machine": "{machine}", "figure": "{figure}"},
        ),
        others=multiext("reports/{machine}/figures/{figure}", ".pdf", ".png"),
        view="results/{machine}/lectures/{figure}/view.json",
        words="reports/{machine}/figures/{figure}.txt",
    log:
        "results/{machine}/logs/draw_figure/{figure}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        package=get_package("analysis", "figures", "lectures", "pages", "statistics", "store"),
        entry=lambda wildcards: entries.find(wildcards.figure).model_dump_json(),
        results=lambda wildcards, input: str(Path(input.machine).parents[1]),
        reports=get_root(3),
    message:
        "Drawing the figure {wildcards.figure} of {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench lecture draw {wildcards.figure} '
        "--machine {wildcards.machine} --results {params.results:q} --reports {params.reports:q} --log {log:q}"


rule make_lectures:
    input:
        pages=ancient("reports/.pages/{machine}"),
        machine="results/{machine}/machine.json",
        views=lambda wildcards: expand("results/{{machine}}/lectures/{figure}/view.json", figure=get_entries()),
    output:
        html=keep_until_replaced("reports/{machine}/lectures.html"),
        deck=keep_until_replaced("reports/{machine}/slides.md"),
    log:
        "results/{machine}/logs/make_lectures.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        package=get_package("analysis", "figures", "lectures", "pages", "statistics", "store"),
        results=lambda wildcards, input: str(Path(input.machine).parents[1]),
        reports=get_root(2),
    message:
        "Putting the lectures' figures of {wildcards.machine} together"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench lecture page '
        "--machine {wildcards.machine} --results {params.results:q} --reports {params.reports:q} --log {log:q}"
