"""The published lineage shows dbt's documents and the site's pages, and asks no other host for anything."""

from __future__ import annotations

import base64
import gzip
import json
import re
from time import time
from typing import TYPE_CHECKING, Any

from ioledger.build import pages
from ioledger.build.site import describe_columns, publish_lineage
from ioledger.tables.schema import ROOT, marts

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (
    '<html><head><title>x</title></head><body>["MANIFEST.JSON INLINE DATA", "CATALOG.JSON INLINE DATA"]</body></html>'
)


def _documentation(folder: Path, models: set[str]) -> Path:
    """Write what `dbt docs generate` leaves, of these models."""
    children: dict[str, list[str]] = {f"model.ioledger.{name}": [] for name in sorted(models)}
    folder.mkdir(exist_ok=True)
    run = {"generated_at": f"at {folder.name}", "invocation_id": folder.name, "dbt_version": "1.0"}
    node = {
        "path": f"{ROOT}/models",
        "build_path": f"{folder}/run",
        "compiled_path": f"{folder}/x",
        "created_at": time(),
    }
    manifest = {"exposures": {}, "parent_map": {}, "child_map": children, "metadata": run, "nodes": {"one": node}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "catalog.json").write_text(json.dumps({"metadata": run, "sources": {}}), encoding="utf-8")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    return folder


def _unpack(page: Path) -> str:
    """Return what a page shows where scripts run."""
    packed = page.read_text(encoding="utf-8").partition('atob("')[2].partition('"')[0]
    return gzip.decompress(base64.b64decode(packed)).decode()


def test_the_documentation_has_every_page_that_reads_a_mart(tmp_path: Path) -> None:
    """Whoever changes a model sees in the lineage which pages it feeds."""
    found, _, _ = pages.load_pages(ROOT / "site")
    reading = {page.path: page for page in found if page.marts}
    _documentation(tmp_path, {mart for page in found for mart in page.marts})
    text = _unpack(publish_lineage(tmp_path, tmp_path / "dist", found))
    manifest, catalog = json.loads(re.sub(r"^.*<body>|</body>.*$", "", text))
    assert catalog == {"metadata": {"dbt_version": "1.0"}, "sources": {}}
    shown = {exposure["original_file_path"]: exposure for exposure in manifest["exposures"].values()}
    assert shown.keys() == {page.file for page in reading.values()}
    assert shown["site/pages/index.js"]["unique_id"] == "exposure.ioledger.page_home"
    assert (shown["site/pages/queue-depth.js"]["name"], shown["site/pages/devices/index.js"]["url"]) == (
        "page_queue_depth",
        "/devices/",
    )
    for page in reading.values():
        assert shown[page.file]["depends_on"]["nodes"] == [f"model.ioledger.{mart}" for mart in page.marts]


def test_a_column_of_a_mart_is_described_as_its_schema_does() -> None:
    """Names and types are enforced by dbt; what a column holds is said once, and shown here."""
    nodes: dict[str, Any] = {"model.ioledger.pairs": {"columns": {"operation": {"description": ""}}}}
    describe_columns({"nodes": nodes})
    said = {column.name: column.description for column in marts()["pairs"].columns}
    assert nodes["model.ioledger.pairs"]["columns"] == {"operation": {"description": said["operation"]}}


def test_the_documentation_is_shut_in_and_names_no_run(tmp_path: Path) -> None:
    """The policy stands first; when, where and under which id dbt was run is not published: pages can be compared."""
    first, second = (_documentation(tmp_path / name, {"results"}) for name in ("one", "another"))
    assert (first / "manifest.json").read_bytes() != (second / "manifest.json").read_bytes()
    page, again = (publish_lineage(folder, folder / "dist", []) for folder in (first, second))
    served = page.read_text(encoding="utf-8")
    assert served == again.read_text(encoding="utf-8")
    assert served.index("Content-Security-Policy") < served.index("<title>")
    assert "connect-src 'none'" in served
    text = _unpack(page)
    assert str(ROOT) not in text
    assert '"nodes":{"one":{"path":"./models"}}' in text
