# Rules of the lectures' figures. The job of a figure measures only the cases that the figure needs. If two figures need
# the same case, the journal prevents a second measurement.
wildcard_constraints:
    figure="[a-z0-9-]+",


rule lecture:
    input:
        expand("reports/{machine}/lectures.html", machine=MACHINES),
        lambda wildcards: expand(
            "results/{machine}/lectures/{figure}/measured.json", machine=MACHINES, figure=get_figures()
        ),
    message:
        "All figures of the lectures are there"


rule measure_figure:
    input:
        machine=get_machine,
    output:
        measured="results/{machine}/lectures/{figure}/measured.json",
    log:
        "results/{machine}/logs/measure_figure/{figure}.log",
    # Figures are measured in the order of their entries.
    priority: lambda wildcards: FIRST_REPETITION - get_figures().index(wildcards.figure)
    conda:
        "../../envs/base.yaml"
    # All cores, so that no other job of this workflow runs during a measurement.
    threads: get_cores
    resources:
        **node(mem_mb=8000, runtime=120),
    params:
        digests=digest_figure,
        package=digest_package("measure/merge", "statistics"),
        here=get_here,
        place=lambda wildcards: f"{get_figures().index(wildcards.figure) + 1} of {len(get_figures())}",
        plans=get_plans,
    message:
        "Measuring for the figure {wildcards.figure} on {wildcards.machine} (figure {params.place})"
    shell:
        job("lecture measure {wildcards.figure}")


rule draw_figure:
    input:
        machine="results/{machine}/machine.json",
        measured="results/{machine}/lectures/{figure}/measured.json",
        profiles=branch(lambda wildcards: wildcards.figure == "esrf-profile", then=PROFILES),
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
    params:
        package=digest_package("analysis", "figures", "lectures", "pages", "statistics", "store"),
        entry=lambda wildcards: files.digest(entries.find(wildcards.figure).model_dump_json()),
        plans=get_plans,
    message:
        "Drawing the figure {wildcards.figure} of {wildcards.machine}"
    shell:
        job("lecture draw {wildcards.figure}")


rule make_lectures:
    input:
        pages=ancient("reports/.pages/{machine}"),
        machine="results/{machine}/machine.json",
        views=lambda wildcards: expand("results/{{machine}}/lectures/{figure}/view.json", figure=get_figures()),
    output:
        html=keep_until_replaced("reports/{machine}/lectures.html"),
        deck=keep_until_replaced("reports/{machine}/slides.md"),
    log:
        "results/{machine}/logs/make_lectures.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        package=digest_package("analysis", "figures", "lectures", "pages", "statistics", "store"),
        plans=get_plans,
    message:
        "Putting the lectures' figures of {wildcards.machine} together"
    shell:
        job("lecture page")
