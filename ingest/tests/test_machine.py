"""What the site holds for programs is true of its tables, whole, and the same from two builds."""

from __future__ import annotations

import csv
import gzip
import hashlib
import importlib
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from ioledger.build.publish import in_database
from ioledger.releases import descriptions
from ioledger.tables.schema import ROOT, arrow_schema, marts, tables, units

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from forks import Forks

sys.path.insert(0, str(ROOT / "site" / "data"))
machine: Any = importlib.import_module("machine")

ADDRESS = "https://ioledger.example/numbers"
ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
EVERY = [("marts", table) for table in marts().values()] + [("tables", table) for table in tables().values()]
PACKAGE_TYPES = {"string", "number", "integer", "boolean", "date", "datetime", "array"}


def _written(forks: Forks, sample: Path, scratch: Path, address: str = "") -> Path:
    """Write everything for programs as the site step does; return the folder."""
    variables = {"IOLEDGER_BUILD": str(sample / "build"), "IOLEDGER_DATA": str(sample / "data")}
    variables["IOLEDGER_SITE_URL"] = address
    done = forks.call(scratch, "--machine", script=ROOT / "site" / "data" / "write.py", **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    return scratch / "public"


@pytest.fixture(scope="module")
def public(forks: Forks, sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with everything for programs, of a site that has an address."""
    return _written(forks, sample, tmp_path_factory.mktemp("public"), ADDRESS)


@pytest.fixture(scope="module")
def database(sample: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return the database, which gives rows in their order."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        connection.execute("set threads = 1")
        yield connection


def _json(path: Path) -> Any:  # noqa: ANN401  (whatever the file holds)
    return json.loads(path.read_text(encoding="utf-8"))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _file(sample: Path, public: Path, path: str) -> Path:
    """Return a download: what the build made itself lies in its folder until the site is put together."""
    made = sample / "build" / path.removeprefix("download/")
    return made if made.exists() else public / path


def _read_csv(path: Path, schema: pa.Schema) -> pa.Table:
    """Return the rows of a CSV file with the types of this schema: an unquoted empty text is null, JSON a list."""
    lists = [field.name for field in schema if pa.types.is_list(field.type)]
    read = pa.csv.read_csv(
        path,
        parse_options=pa.csv.ParseOptions(newlines_in_values=True),
        convert_options=pa.csv.ConvertOptions(
            column_types={field.name: pa.string() if field.name in lists else field.type for field in schema},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    for name in lists:
        values = [text and json.loads(text) for text in read[name].to_pylist()]
        read = read.set_column(schema.get_field_index(name), name, pa.array(values, schema.field(name).type))
    return read.cast(schema)


@pytest.mark.parametrize(("folder", "table"), EVERY, ids=lambda each: each if isinstance(each, str) else each.name)
def test_every_table_is_the_same_in_each_form(
    sample: Path,
    public: Path,
    database: duckdb.DuckDBPyConnection,
    folder: str,
    table: Any,  # noqa: ANN401
) -> None:
    """Parquet, Arrow, CSV and the database have the same rows, in the same order, with every digit and every null."""
    stem = f"{'marts' if folder == 'marts' else 'raw'}/{table.name}"
    wanted = pq.read_table(sample / "build" / f"{stem}.parquet").cast(arrow_schema(table))
    if folder == "tables" and table.name in marts():
        assert {column.name for column in table.columns} <= {column.name for column in marts()[table.name].columns}
        assert [path.suffix for path in (public / "download").glob(f"{stem}.*")] == [".parquet"]
        return
    with pa.ipc.open_file(str(public / "download" / f"{stem}.arrow")) as opened:
        assert opened.read_all().cast(arrow_schema(table)).equals(wanted)
    read = _read_csv(public / "download" / f"{stem}.csv.gz", arrow_schema(table))
    assert read.cast(arrow_schema(table)).equals(wanted)
    if folder == "tables" and table.published == "files":
        return
    kept = database.sql(f"from {in_database(table)}").to_arrow_table()
    assert kept.cast(arrow_schema(table)).equals(wanted)


def test_a_csv_tells_null_from_an_empty_text(tmp_path: Path) -> None:
    """Whatever is in a text: quotes, commas, line ends, nothing at all."""
    notes = pa.schema([(field.name, field.type) for field in arrow_schema(tables()["contradictions"])])
    texts = ["", None, 'a "b", c', "two\nlines\r\n", " é日本 ", "NULL", "0"]
    columns = {
        field.name: pa.array(texts if pa.types.is_string(field.type) else [None] * len(texts), field.type)
        for field in notes
    }
    descriptions.write_csv(pa.table(columns), tmp_path / "rows.csv.gz")
    read = _read_csv(tmp_path / "rows.csv.gz", notes)
    assert [read[name].to_pylist() for name in columns] == [values.to_pylist() for values in columns.values()]


def test_croissant_names_every_table_by_its_file_and_hash(sample: Path, public: Path) -> None:
    """Each record set takes its columns from a file that is there, with the hash and the address that it has."""
    croissant = _json(public / "croissant.json")
    assert croissant["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert {"name", "description", "license", "url", "datePublished", "creator", "version"} <= croissant.keys()
    files = {each["@id"]: each for each in croissant["distribution"]}
    for name, each in files.items():
        path = sample / "build" / name
        assert each["sha256"] == _sha256(path)
        assert each["contentSize"] == f"{path.stat().st_size} B"
        assert each["contentUrl"] == f"{ADDRESS}/download/{name}"
    names = [each["@id"] for each in croissant["recordSet"]]
    assert len(set(names)) == len(names) == len(EVERY) == len(files)
    for each in croissant["recordSet"]:
        sources = {field["source"]["fileObject"]["@id"] for field in each["field"]}
        (path,) = [sample / "build" / name for name in sources]
        assert [field["source"]["extract"]["column"] for field in each["field"]] == pq.read_schema(path).names
        keys = each["key"] if isinstance(each["key"], list) else [each["key"]]
        assert {key["@id"] for key in keys} <= {field["@id"] for field in each["field"]}
        assert {field["dataType"] for field in each["field"]} <= {name for name, _ in descriptions.TYPES.values()}


def test_the_data_package_describes_the_files_that_are_there(sample: Path, public: Path) -> None:
    """Sizes, hashes, headers, and what must not be missing; Parquet where there is no CSV."""
    package = _json(public / "datapackage.json")
    names = [each["name"] for each in package["resources"]]
    assert len(set(names)) == len(names) == len(EVERY)
    for each in package["resources"]:
        path = _file(sample, public, each["path"])
        assert (each["bytes"], each["hash"]) == (path.stat().st_size, f"sha256:{_sha256(path)}")
        fields = each["schema"]["fields"]
        assert {field["type"] for field in fields} <= PACKAGE_TYPES
        if each["format"] == "parquet":
            assert pq.read_schema(path).names == [field["name"] for field in fields]
            continue
        with gzip.open(path, "rt", encoding="utf-8", newline="") as opened:
            rows = list(csv.DictReader(opened))
        header = list(rows[0]) if rows else [field["name"] for field in fields]
        assert header == [field["name"] for field in fields]
        required = [field["name"] for field in fields if field.get("constraints", {}).get("required")]
        assert all(row[name] for row in rows for name in required)


def test_a_long_table_has_no_csv_and_is_described_by_its_parquet_file(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above the limit there is no CSV; whoever follows the description finds the same rows as Parquet."""
    monkeypatch.setattr(descriptions, "MOST_ROWS_AS_CSV", 0)
    found = descriptions.write_formats(sample / "build", tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    release = descriptions.Release("a" * 64, "2026-01-01", None)
    for each, resource in zip(found, descriptions.describe_package(found, release)["resources"], strict=True):
        form = "parquet" if each.rows or each.name.startswith("raw.") else "csv"
        assert (f"download/{each.stem}.csv.gz" in written) == (form == "csv")
        assert (resource["format"], resource["path"]) == (form, each.files[form]["path"])


def test_every_unit_has_its_code(public: Path) -> None:
    """UCUM codes stand beside the units of the schemas, in Croissant and in the data package; no code is idle."""
    stated = {column.unit for _, table in EVERY for column in table.columns if column.unit}
    assert stated == units().keys()
    schema = _json(public / "schemas" / "marts" / "peaks.schema.json")
    assert schema["$id"] == f"{ADDRESS}/schemas/marts/peaks.schema.json"
    samples = _json(public / "schemas" / "tables" / "samples.schema.json")["properties"]
    assert samples["throughput_bytes_per_second"]["x-ucum"] == "By/s"
    assert "x-ucum" not in samples["operation"]
    fields = {
        field["name"]: field
        for each in _json(public / "datapackage.json")["resources"]
        for field in each["schema"]["fields"]
    }
    assert fields["latency_mean_seconds"]["ucum"] == "s"


def test_a_site_without_an_address_says_nothing_that_needs_one(forks: Forks, sample: Path, tmp_path: Path) -> None:
    """Paths take the place of addresses, and there is no map of the site."""
    public = _written(forks, sample, tmp_path)
    assert not (public / "sitemap.xml").exists()
    assert "url" not in _json(public / "croissant.json")
    assert "homepage" not in _json(public / "datapackage.json")
    assert _json(public / "schemas" / "manifest.schema.json")["$id"] == "schemas/manifest.schema.json"
    feed = ET.parse(public / "feed.xml").getroot()  # noqa: S314  (our own file)
    assert {entry.findtext(f"{ATOM}id", "").split(":")[1] for entry in feed.iter(f"{ATOM}entry")} == {
        "ioledger.invalid,2026"
    }


def test_the_feed_has_an_entry_for_each_submission_and_each_change(sample: Path, public: Path) -> None:
    """Days are those that the submissions state; ids are permanent and unlike."""
    feed = ET.parse(public / "feed.xml").getroot()  # noqa: S314  (our own file)
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as database:
        rows = database.sql("select submission_id, submitted_on, status_changed_on from submissions").fetchall()
    assert len(set(ids)) == len(ids) == len(rows) + sum(row[2] is not None for row in rows)
    days = [day for row in rows for day in row[1:] if day]
    assert feed.findtext(f"{ATOM}updated") == f"{max(days)}T00:00:00Z"
    assert [entry.findtext(f"{ATOM}updated") for entry in feed.iter(f"{ATOM}entry")] == sorted(
        (f"{day}T00:00:00Z" for day in days), reverse=True
    )
    for link in (link for entry in feed.iter(f"{ATOM}entry") for link in entry.iter(f"{ATOM}link")):
        path = link.get("href", "").removeprefix(f"{ADDRESS}/")
        assert (public / path).is_file() if path.endswith(".json") else path.startswith("submissions/")


def test_a_change_of_state_is_news() -> None:
    """It has an entry of its own, with its reason, beside that of the day it came."""
    row = {
        "submission_id": "2026-01-somebody-disk", "title": "A disk", "summary": None, "submitted_by": "Somebody",
        "submitted_on": "2026-01-05", "status": "disputed", "status_reason": "The cache was on.",
        "status_changed_on": "2026-03-01",
    }  # fmt: skip
    changed, submitted = machine.list_entries([row])
    assert [changed[key] for key in ("day", "title")] == ["2026-03-01", "A disk: disputed"]
    assert changed["words"] == "The cache was on."
    assert [submitted[key] for key in ("day", "title", "author")] == ["2026-01-05", "A disk", "Somebody"]


def test_no_text_of_a_stranger_breaks_the_feed() -> None:
    """Neither markup nor a character that XML has not."""
    release = descriptions.Release("0" * 64, "2026-01-05", None)
    entry = {
        "day": "2026-01-05", "page": "submissions/2026-01-a-b", "event": "submitted", "title": "<b>&\x00\x1b]]>",
        "words": "日本\ud800", "author": "'\"",
    }  # fmt: skip
    text = machine.feed([entry], release)
    (found,) = ET.fromstring(text).iter(f"{ATOM}entry")  # noqa: S314  (our own text)
    assert found.findtext(f"{ATOM}title") == "<b>&\ufffd\ufffd]]>"
    assert found.findtext(f"{ATOM}summary") == "日本\ufffd"


def test_the_map_names_every_page_in_both_languages(public: Path) -> None:
    """With the other language beside each, and the day of the data where a page has its own; robots are led there."""
    places = ET.parse(public / "sitemap.xml").getroot().findall(f"{SITEMAP}url")  # noqa: S314  (our own file)
    addresses = [place.findtext(f"{SITEMAP}loc", "") for place in places]
    assert len(set(addresses)) == len(addresses)
    english = [each for each in addresses if not each.startswith(f"{ADDRESS}/ja/")]
    assert {each.replace(ADDRESS, f"{ADDRESS}/ja") for each in english} == set(addresses) - set(english)
    assert f"{ADDRESS}/sql" in english
    days = {place.findtext(f"{SITEMAP}loc"): place.findtext(f"{SITEMAP}lastmod") for place in places}
    submissions = _json(public / "api" / "v2" / "submissions.json")["submissions"]
    for each in submissions:
        if (address := f"{ADDRESS}/submissions/{each['submission_id']}") in days:
            assert days[address] == (each["status_changed_on"] or each["submitted_on"])
    robots = (public / "robots.txt").read_text(encoding="utf-8").split("\n")
    assert robots == ["User-agent: *", "Disallow:", "", f"Sitemap: {ADDRESS}/sitemap.xml", ""]


def test_the_interface_leads_to_everything(sample: Path, public: Path) -> None:
    """From the index to each list and from a list to each answer, all of one release."""
    index = _json(public / "api" / "v2" / "index.json")
    release = _json(sample / "build" / "manifest.json")["release_id"]
    lists = {name: _json(public / path) for name, path in index["lists"].items()}
    assert {each["release_id"] for each in (index, *lists.values())} == {release}
    for name in ("submissions", "devices"):
        assert index["counts"][name] == len(lists[name][name])
        for each in lists[name][name]:
            own = _json(public / each["json"])
            assert own["release_id"] == release
            assert own["page"] == each["page"]
    assert index["counts"]["results"] == sum(
        len(_json(public / f"api/v2/submissions/{each['submission_id']}/results.json")["results"])
        for each in lists["submissions"]["submissions"]
    )
    for each in lists["submissions"]["submissions"]:
        its = _json(public / f"api/v2/submissions/{each['submission_id']}/results.json")
        assert {len(row) for row in its["results"]} <= {len(its["columns"])}
        assert not its["results"] or {"result_id", "operations_per_second"} <= set(its["columns"])
    for each in lists["devices"]["devices"]:
        for bench in _json(public / each["json"])["configurations"]:
            own = _json(public / bench["json"])["configurations"]
            assert bench["configuration_id"] in {configuration["configuration_id"] for configuration in own}
    for table in lists["tables"]["tables"]:
        assert (public / table["schema"]).exists()
        for file in table["files"].values():
            path = _file(sample, public, file["path"])
            assert (path.stat().st_size, _sha256(path)) == (file["size_bytes"], file["sha256"])


def test_what_json_has_no_form_for_has_another() -> None:
    """Days and times in ISO form; a number without end is null, so that every program reads the answer."""
    with duckdb.connect() as connection:
        query = "select 'inf'::double as a, 'nan'::double as b, 0.1 + 0.2 as c, date '2026-01-05' as d, null as e"
        (row,) = machine.rows(connection, query)
    assert row["a"] is row["b"] is row["e"] is None
    assert row["d"] == "2026-01-05"


def test_the_head_describes_the_dataset(public: Path) -> None:
    """What search engines ask of a dataset: name, description, licence, creator, files."""
    described = _json(public / "jsonld.json")
    assert described.keys() == {"index", "data"}
    dataset = described["data"]
    assert dataset["@type"] == "Dataset"
    assert 50 <= len(dataset["description"]) <= 5000
    assert {each["contentUrl"] for each in dataset["distribution"]} == {
        f"{ADDRESS}/{path}" for path in ("download/ioledger.duckdb", "datapackage.json", "croissant.json")
    }


def test_the_examples_run_as_they_stand(sample: Path, public: Path, tmp_path: Path) -> None:
    """Four lines for each form, pasted where the file lies: their first row is the fastest single drive."""
    script = "import('./site/components/sql/examples.js').then((m) => console.log(JSON.stringify(m.examples)))"
    command = ["node", "-e", script]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    examples = json.loads(printed.stdout)
    assert {each["form"] for each in examples} == {"duckdb", "parquet", "arrow", "csv"}
    peaks = pq.read_table(sample / "build" / "marts" / "peaks.parquet").to_pylist()
    asked = {"metric": "operations_per_second", "load_profile": "4 KiB random read", "drive_count": 1}
    single = [row for row in peaks if row.items() >= asked.items()]
    fastest = max(single, key=lambda row: row["peak_value"])["device"]
    devices = {row["device"] for row in peaks}
    for each in examples:
        folder = tmp_path / each["form"]
        folder.mkdir()
        shutil.copy(_file(sample, public, each["file"]), folder)
        assert len(each["code"].splitlines()) <= 4
        pasted = [sys.executable, "-c", each["code"]]
        ran = subprocess.run(pasted, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
        assert (ran.returncode, ran.stderr) == (0, "")
        named = sorted((ran.stdout.find(device), device) for device in devices if device in ran.stdout)
        assert named[0][1] == fastest
