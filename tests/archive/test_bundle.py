"""Tests of bundles of results, instructions to repeat a measurement, and the repository's metadata files."""

import hashlib
import html
import json
import posixpath
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pretended_results.cpu
import pytest
import yaml
from command_line import invoke
from report_page import read_pages
from rocrate.rocrate import ROCrate

import accelbench
from accelbench import config as configuration
from accelbench import project
from accelbench.archive import bundle, publishing
from accelbench.cli import commands
from accelbench.environments import paths, placement
from accelbench.errors import InputError
from accelbench.model.watched import is_peak
from accelbench.store import files

EXAMPLE = project.ROOT / "reports" / "examples" / "cpu"
TODAY = EXAMPLE.with_name("h200-today")
COMMIT = "0123abcd" * 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return pretended_results.cpu.write(
        tmp_path_factory.mktemp("results") / "local", kernels=("vector_sum", "inside_polygon")
    )


@pytest.fixture(scope="module")
def made(folder, tmp_path_factory):
    """Return a bundle of invented results, whose sources differ from those in kernels/."""
    return bundle.bundle(folder, tmp_path_factory.mktemp("bundle") / "results.zip")


@pytest.fixture(scope="module")
def unpacked(made, tmp_path_factory):
    target = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(made.path) as archive:
        archive.extractall(target)
    return target


# What is in a bundle


def test_results_come_back_as_they_were(folder, unpacked):
    for path in (folder / "timings").iterdir():
        assert (unpacked / "results" / "local" / "timings" / path.name).read_bytes() == path.read_bytes()
    assert json.loads((unpacked / "results/local/machine.json").read_text()) == pretended_results.machine()
    assert not list((unpacked / "results").rglob("build"))


def test_a_bundle_can_be_reported_on_again(unpacked, tmp_path):
    copy = tmp_path / "local"
    shutil.copytree(unpacked / "results" / "local", copy)
    assert publishing.render(copy).stat().st_size > 10_000


def test_configuration_is_one_to_run_again(unpacked):
    path = unpacked / "configuration" / "1.yaml"
    config = configuration.read(path)
    assert set(config.kernels) == {"vector_sum", "inside_polygon"}
    assert config.protocol.repetitions.max == 3
    assert COMMIT in path.read_text()
    assert "uncommitted changes" in path.read_text()
    assert "make report CONFIG=" in path.read_text()


def test_configuration_names_the_machine(tmp_path):
    home = pretended_results.cpu.write(tmp_path / "gpu-box", kernels=("vector_sum",))
    machine = files.read_json(home / "machine.json")
    files.write_json(home / "machine.json", machine | {"name": "gpu-box"})
    for path in home.glob("timings/*.jsonl"):
        path.write_text(path.read_text().replace('"machine":"local"', '"machine":"gpu-box"'))
    with zipfile.ZipFile(bundle.bundle(home, tmp_path / "x.zip").path) as archive:
        assert configuration.parse(yaml.safe_load(archive.read("configuration/1.yaml")), "here").machines.keys() == {
            "gpu-box"
        }


def test_sources_are_those_that_were_measured(made, unpacked):
    text = (unpacked / "sources" / "vector_sum" / "numba_njit.py").read_text()
    assert "vector_sum with numba_njit & friends" in text
    assert "vector_sum/numba_njit.py: changed since it was measured; the bundle has the measured version" in made.notes
    assert (unpacked / "sources" / "vector_sum" / "kernel.py").read_bytes() == (
        project.ROOT / "kernels" / "vector_sum" / "kernel.py"
    ).read_bytes()
    for module in ("backends/host.py", "toolchains/shared_library.py"):  # users add their own modules to these folders
        assert (unpacked / "package" / module).read_bytes() == (
            project.ROOT / "workflow" / "accelbench" / module
        ).read_bytes()


def test_sources_that_did_not_change_pass_without_a_word(tmp_path):
    """The sources recorded in the example are written to a folder of kernels."""
    copy, kernels = tmp_path / "example", tmp_path / "kernels"
    shutil.copytree(EXAMPLE, copy)
    for path in sorted((copy / "kernels").glob("*.json.xz")):
        metadata = files.read_json(path)
        own = kernels / path.name.partition(".")[0]
        for about in metadata["implementations"].values():
            about["files"].append({"name": "loop.f90", "text": "end\n"})  # only Fortran's toolchain builds .f90
            for file in about["files"]:
                files.write(own / file["name"], file["text"])
        files.write(own / "kernel.py", "# the specification")
        for run in metadata["runs"]:
            run["config"]["kernels_path"] = [str(kernels)]
        files.write_json(path.with_suffix(""), metadata)
        path.unlink()
    written = bundle.bundle(copy, tmp_path / "example.zip")
    assert written.notes == []
    (kernels / "vector_sum" / "cffi_openmp.py").write_text("changed")
    notes = bundle.bundle(copy, tmp_path / "example.zip").notes
    assert notes == ["vector_sum/cffi_openmp.py: changed since it was measured; the bundle has the measured version"]


def test_a_kernel_whose_folder_is_gone_is_packed_as_far_as_the_results_hold_it(tmp_path):
    folder = pretended_results.cpu.write(tmp_path / "local", kernels=("vector_sum",))
    metadata = json.loads((folder / "kernels" / "vector_sum.json").read_text())
    metadata["kernel"] = "gone"
    (folder / "kernels" / "vector_sum.json").unlink()
    (folder / "kernels" / "gone.json").write_text(json.dumps(metadata))
    timings = folder / "timings" / "vector_sum.jsonl"
    (folder / "timings" / "gone.jsonl").write_text(
        timings.read_text().replace('"kernel":"vector_sum"', '"kernel":"gone"')
    )
    timings.unlink()
    written = bundle.bundle(folder, tmp_path / "gone.zip")
    assert any(note.startswith("gone: its folder is missing") for note in written.notes)
    with zipfile.ZipFile(written.path) as archive:
        assert "sources/gone/numba_njit.py" in archive.namelist()


@pytest.mark.parametrize("name", ["../../evil.py", "/evil.py", "a\0b.py", "-o", ".hidden", "a/b.py", "a.py\n"])
def test_a_source_cannot_leave_its_folder(tmp_path, name):
    folder = pretended_results.cpu.write(tmp_path / "local", kernels=("vector_sum",))
    path = folder / "kernels" / "vector_sum.json"
    metadata = json.loads(path.read_text())
    metadata["implementations"]["numpy_sum"]["files"].append({"name": name, "text": "x"})
    path.write_text(json.dumps(metadata))
    with pytest.raises(InputError, match=r"implementations\.numpy_sum\.files\.1\.name"):
        bundle.bundle(folder, tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.parametrize("name", ["timings/other.jsonl", "tables/table.csv", "journal", "figures/a/b.svg"])
def test_no_link_leads_out_of_the_folder_into_a_bundle(tmp_path, name):
    folder = pretended_results.cpu.write(tmp_path / "local", kernels=("vector_sum",))
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "passwords.jsonl").write_text("secret")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).symlink_to(tmp_path / "secret" / ("passwords.jsonl" if "." in name else ""))
    with pytest.raises(InputError, match="lies outside of it"):
        bundle.bundle(folder, tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_environment_is_what_was_installed_and_the_locks(unpacked):
    installed = (unpacked / "environment" / "requirements.txt").read_text().splitlines()
    assert "numpy==2.4.6" in installed
    for path in (project.ROOT / "envs").glob("*.lock"):
        assert (unpacked / "environment" / path.name).read_bytes() == path.read_bytes()


def test_manifest_is_read_by_sha256sum(unpacked):
    lines = (unpacked / "manifest-sha256.txt").read_text().splitlines()
    assert len(lines) == sum(path.is_file() for path in unpacked.rglob("*")) - 1
    for line in lines:
        wanted, name = line.split("  ")
        assert hashlib.sha256((unpacked / name).read_bytes()).hexdigest() == wanted
    if shutil.which("sha256sum"):
        command = ["sha256sum", "--check", "--strict", "--quiet", "manifest-sha256.txt"]
        assert subprocess.run(command, cwd=unpacked, check=False).returncode == 0


def test_metadata_are_an_ro_crate(unpacked):
    crate = ROCrate(unpacked)
    named = {entity.id for entity in crate.data_entities}
    packed = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert named == packed - {"ro-crate-metadata.json", bundle.MANIFEST}
    (action,) = crate.get_by_type("CreateAction")
    assert action["instrument"]["version"] == COMMIT
    assert {entity.id for entity in action["result"]} == {name for name in packed if "/timings/" in name}
    assert "configuration/1.yaml" in {entity.id for entity in action["object"]}
    assert "Virtual CPU" in crate.dereference("#machine")["description"]
    assert crate.name
    assert crate.description
    assert str(crate.datePublished).startswith("2025-11-20")


def test_metadata_name_who_is_named(folder, tmp_path):
    """The key `author` has an object for one author and a list for several. Without authors, the key is missing."""

    def author(*authors):
        with zipfile.ZipFile(bundle.bundle(folder, tmp_path / "x.zip", authors).path) as archive:
            entities = json.loads(archive.read("ro-crate-metadata.json"))["@graph"]
        return {entity["@id"]: entity for entity in entities}, {e["@id"]: e for e in entities}["./"].get("author")

    jane, orcid = {"@id": "https://orcid.org/0000-0002-1825-0097"}, "Jane Doe <https://orcid.org/0000-0002-1825-0097>"
    assert author()[1] is None
    entities, one = author(orcid)
    assert one == jane
    assert entities[one["@id"]] == jane | {"@type": "Person", "name": "Jane Doe"}
    entities, several = author(orcid, "Žofie Nová")
    assert several == [jane, {"@id": "#author-2"}]
    assert entities["#author-2"]["name"] == "Žofie Nová"
    for wrong in ("", "<https://orcid.org/0>", "Jane <jane>", "Jane <https://a b>"):
        done = invoke("bundle", folder, "--output", tmp_path / "y.zip", "--author", wrong)
        assert done.exit_code == 2
        assert "error: --author: " in done.stderr
    assert not (tmp_path / "y.zip").exists()


def test_metadata_of_one_kernel_have_no_list_of_one(tmp_path):
    alone = pretended_results.cpu.write(tmp_path / "local", kernels=("vector_sum",))
    for peak in alone.rglob("peak_*.json*"):
        peak.unlink()
    with zipfile.ZipFile(bundle.bundle(alone, tmp_path / "x.zip").path) as archive:
        entities = {e["@id"]: e for e in json.loads(archive.read("ro-crate-metadata.json"))["@graph"]}
    assert entities["#measuring"]["result"] == {"@id": "results/local/timings/vector_sum.jsonl"}
    values = [value for entity in entities.values() for value in entity.values()]
    assert not [value for value in values if isinstance(value, list) and len(value) < 2]


def test_metadata_have_what_ro_crate_requires(unpacked):
    """The metadata fulfil the MUST sentences of RO-Crate 1.1 on the descriptor, the root and data entities."""
    metadata = json.loads((unpacked / "ro-crate-metadata.json").read_text())
    assert metadata["@context"] == "https://w3id.org/ro/crate/1.1/context"
    entities = {entity["@id"]: entity for entity in metadata["@graph"]}
    assert len(entities) == len(metadata["@graph"])
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["about"] == {"@id": "./"}
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert root["@type"] == "Dataset"
    assert all(root[name] for name in ("name", "description", "datePublished", "license"))
    assert entities[root["license"]["@id"]].keys() >= {"@type", "name", "description"}
    for part in root["hasPart"]:
        assert entities[part["@id"]]["@type"] == "File"
        assert "/" in entities[part["@id"]]["encodingFormat"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("rocrate-validator") is None, reason="needs roc-validator and a network")
def test_metadata_are_valid(unpacked):
    command = ["rocrate-validator", "--no-interactive", "validate", unpacked, "--profile-identifier", "ro-crate-1.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_environments_that_were_used_can_be_made_elsewhere(tmp_path):
    """A bundle's configuration names default environments, since the recorded Pythons exist on one computer only."""
    bundle.bundle(TODAY, tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        archive.extractall(tmp_path)
    metadata = files.read_json(TODAY / "kernels" / "vector_sum.json.xz")
    recorded = metadata["runs"][0]["config"]["environments"]
    assert not any(Path(place["python"]).is_relative_to(project.ROOT) for place in recorded.values())
    config = configuration.read(tmp_path / "configuration" / "1.yaml")
    assert {place.python for place in config.places} == {
        str(project.ROOT / paths.default_python(name)) for name in recorded
    }
    placement.check(config.places, "1.yaml")  # raises if `make install` cannot make a missing Python


def test_the_same_results_make_the_same_bundle(folder, made, tmp_path):
    again = bundle.bundle(folder, tmp_path / "again.zip")
    assert again.path.read_bytes() == made.path.read_bytes()


def test_a_published_example_can_be_bundled(tmp_path):
    written = bundle.bundle(EXAMPLE, tmp_path / "example.zip")
    with zipfile.ZipFile(written.path) as archive:
        names = archive.namelist()
        pages = {
            name: archive.read(name).decode() for name in names if re.search(r"cpu/([^/]*|lectures/[^/]*)\.html$", name)
        }
    assert {f"results/{EXAMPLE.name}/{name}" for name in ("index.html", "lectures/esrf.html")} < pages.keys()
    top = f"results/{EXAMPLE.name}/"
    measured = [name for name in names if re.match(f"{top}lectures/.*/timings/.*jsonl", name)]
    assert len(measured) == len([*EXAMPLE.glob("lectures/*/*/timings/*.jsonl.xz")]) > 20
    links = {
        posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
        for name, page in pages.items()
        for link in re.findall(r' href="([^":#]+)["#]', page)
    }
    assert len(links) > 50
    assert {link for link in links if link.startswith(top)} <= set(names)  # links out of the folder are not checked


# Bad input


@pytest.mark.parametrize("name", ["", "../../evil", "/evil", "Evil", "two\nlines"])
def test_results_of_a_machine_without_a_proper_name_are_refused(tmp_path, name):
    home = pretended_results.cpu.write(tmp_path / "local", kernels=("vector_sum",))
    machine = files.read_json(home / "machine.json")
    files.write_json(home / "machine.json", machine | {"name": name})
    result = invoke("bundle", home, "--output", tmp_path / "x.zip")
    assert result.exit_code == 2
    assert "machine.json: name: " in result.stderr
    assert not (tmp_path / "x.zip").exists()


def test_a_source_that_no_file_can_hold_is_packed_with_escapes(tmp_path):
    home = pretended_results.cpu.write(tmp_path / "local", kernels=("vector_sum",))
    metadata = files.read_json(home / "kernels" / "vector_sum.json")
    next(iter(metadata["implementations"].values()))["files"].append({"name": "a.py", "text": "\ud800\x1b"})
    files.write_json(home / "kernels" / "vector_sum.json", metadata)
    with zipfile.ZipFile(bundle.bundle(home, tmp_path / "x.zip").path) as archive:
        assert archive.read("sources/vector_sum/a.py") == rb"\ud800\x1b"


def test_a_folder_without_results_is_refused(tmp_path):
    result = invoke("bundle", tmp_path / "nowhere", "--output", tmp_path / "x.zip")
    assert result.exit_code == 2
    assert "nowhere" in result.stderr
    assert not (tmp_path / "x.zip").exists()


def test_a_folder_in_the_files_place_is_refused(folder, tmp_path):
    result = invoke("bundle", folder, "--output", tmp_path)
    assert result.exit_code == 2
    assert "is a folder" in result.stderr


# Instructions to repeat a published measurement


def test_the_report_names_commit_configuration_and_command():
    page = read_pages(EXAMPLE / "index.html")
    runs = [run for path in (EXAMPLE / "kernels").glob("*.xz") for run in files.read_json(path)["runs"]]
    assert runs
    for run in runs:
        assert f"Check out commit <code>{run['commit']}</code>" in page
    assert "make report CONFIG=reproduce.yaml" in page
    blocks = re.findall(r'<pre class="code log" tabindex="0"><code>(preset:.*?)</code></pre>', page, re.DOTALL)
    configs = [configuration.parse(yaml.safe_load(html.unescape(block))) for block in blocks]
    measured = {path.name.partition(".")[0] for path in (EXAMPLE / "kernels").glob("*.xz")}
    kernels = {name for name in measured if not is_peak(name)}
    assert {name for config in configs for name in config.kernels or ()} == kernels


# The repository's metadata files


def read_yaml(name):
    return yaml.safe_load((project.ROOT / name).read_text(encoding="utf-8"))


def test_citation_is_a_citation_file():
    """CITATION.cff has the keys that https://citation-file-format.github.io requires and agrees with pyproject.toml."""
    citation = read_yaml("CITATION.cff")
    described = tomllib.loads((project.ROOT / "pyproject.toml").read_text())["project"]
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert citation.keys() <= {
        "cff-version", "message", "title", "authors", "type", "abstract", "version", "license", "keywords",
        "date-released", "repository-code", "url", "doi", "commit",
    }  # fmt: skip
    assert citation["type"] == "software"
    assert citation["authors"] == described["authors"]
    assert citation["license"] == described["license"]
    assert citation["version"] == described["version"] == accelbench.__version__
    assert all(isinstance(word, str) and word for word in citation["keywords"])


def test_catalog_entry_says_how_the_workflow_is_deployed():
    usage = read_yaml(".snakemake-workflow-catalog.yml")["usage"]
    deployment = usage["software-stack-deployment"]
    rules = [path.read_text() for path in (project.ROOT / "workflow" / "rules").glob("*.smk")]
    assert deployment["conda"] == any(re.search(r"^ +conda:$", text, re.M) for text in rules)
    assert {"apptainer", "apptainer+conda", "report"} < deployment.keys()
    assert isinstance(usage["mandatory-flags"]["flags"], list)


def test_continuous_integration_calls_targets_that_exist():
    workflows = sorted((project.ROOT / ".github" / "workflows").glob("*.yml"))
    jobs = [job for path in workflows for job in read_yaml(path)["jobs"].values()]
    steps = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    called = [words for step in steps for words in re.findall(r"make (\w+)((?: \w+=\S+)*)", step)]
    targets = re.findall(r"^(\w+):.*##", (project.ROOT / "Makefile").read_text(), re.M)
    assert {"test", "report"} <= {target for target, _ in called} <= set(targets)
    for name in re.findall(r"CONFIG=(\S+)", " ".join(steps)):
        assert (project.ROOT / name).is_file()


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "CHANGELOG.md"])
def test_papers_name_commands_targets_and_files_that_exist(name):
    text = (project.ROOT / name).read_text(encoding="utf-8")
    names = {command.name or command.callback.__name__ for command in commands.app.registered_commands}
    targets = re.findall(r"^(\w+):.*##", (project.ROOT / "Makefile").read_text(), re.M)
    assert set(re.findall(r"python -m accelbench (\w+)", text)) <= names
    assert set(re.findall(r"(?:^ {4}|`)make (\w+)", text, re.M)) <= set(targets)
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (project.ROOT / link).exists(), link
