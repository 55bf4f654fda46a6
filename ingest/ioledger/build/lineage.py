"""
The lineage of every published number as a page: dbt's own documentation, made fit to publish.

dbt's page, and the two documents that it shows, become one file. The pages of the site are added to it as dbt's
exposures, with the marts that they read. dbt's page carries links for its makers' analytics; a Content-Security-Policy
forbids every request, so that the page only shows. dbt says besides when and in which folders it was run, which differs
from build to build and tells a reader nothing: that is taken out, so that two builds give the same page. Five megabytes
that show nothing without scripts lie in it packed, as one of them that a script of three lines unpacks.
"""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.tables.schema import ROOT, marts, views

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.build.pages import Page

PAGE = Path("lineage", "index.html")
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'"
)
PROJECT = "ioledger"
OWNER = "The ioledger contributors"
STATED = ("dbt_schema_version", "dbt_version", "project_name", "adapter_type")
"""What is kept of what dbt says of a run; the rest is its time, its id, and whoever ran it."""
PACKED = """<!doctype html><html lang=en><head><meta http-equiv="Content-Security-Policy" content="{policy}">\
<meta charset=utf-8><title>{title}</title><body><noscript>This page needs scripts.</noscript><script>
const packed = Uint8Array.from(atob("{text}"), (sign) => sign.charCodeAt(0));
new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
  .then((page) => {{ document.open(); document.write(page); document.close(); }});
</script>
"""
"""The page as it is served: what shows the lineage, packed, and what unpacks it. The policy holds for both."""
LEVEL = 6
"""Of gzip: level 9 takes twice the time for one percent."""
OF_A_RUN = ("build_path", "compiled_path", "created_at")
"""What dbt says of every model and test that is another in the next run."""


def is_documented(documentation: Path) -> bool:
    """Tell whether a folder has the documents of :func:`publish`; dbt writes them for a build with a site only."""
    return all((documentation / name).is_file() for name in ("index.html", "manifest.json", "catalog.json"))


def publish(documentation: Path, site: Path, pages: Iterable[Page]) -> Path:
    """Write dbt's documentation, with these pages in it, into a built site; return its page."""
    manifest = msgspec.json.decode((documentation / "manifest.json").read_bytes())
    add_exposures(manifest, pages)
    describe_columns(manifest)
    catalog = msgspec.json.decode((documentation / "catalog.json").read_bytes())
    for document in (manifest, catalog):
        _forget(document)
    text = (documentation / "index.html").read_text(encoding="utf-8")
    # As `dbt docs generate --static` does it, which would write 5 MB that nobody reads.
    text = text.replace('"MANIFEST.JSON INLINE DATA"', _text(manifest), 1)
    text = text.replace('"CATALOG.JSON INLINE DATA"', _text(catalog), 1).replace(str(ROOT), ".")
    page = site / PAGE
    page.parent.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(text.encode(), LEVEL, mtime=0)
    shown = PACKED.format(policy=POLICY, title=f"{PROJECT}: lineage", text=base64.b64encode(packed).decode())
    page.write_text(shown, encoding="utf-8")
    return page


def _forget(document: dict[str, Any]) -> None:
    """Take what is of one run only out of a document of dbt's."""
    document["metadata"] = {key: value for key, value in document.get("metadata", {}).items() if key in STATED}
    for kind in document.values():
        for node in kind.values() if isinstance(kind, dict) else ():
            if isinstance(node, dict):
                for key in OF_A_RUN:
                    node.pop(key, None)
                depends = node.get("depends_on")
                lists = list(depends.values()) if isinstance(depends, dict) else []
                for names in (*lists, node.get("sources"), node.get("refs")):  # dbt gives them in the order of a set
                    if isinstance(names, list):
                        names.sort(key=msgspec.json.encode)


def _text(document: dict[str, Any]) -> str:
    return msgspec.json.encode(document, order="sorted").decode()


def add_exposures(manifest: dict[str, Any], pages: Iterable[Page]) -> None:
    """Add the pages that read marts to dbt's manifest, as dbt writes exposures, and to its maps of who reads whom."""
    for page in pages:
        if not page.marts:
            continue
        exposure = _exposure(page)
        key, nodes = exposure["unique_id"], exposure["depends_on"]["nodes"]
        manifest["exposures"][key] = exposure
        manifest["parent_map"][key] = nodes
        manifest["child_map"][key] = []
        for node in nodes:
            manifest["child_map"][node] = sorted([*manifest["child_map"][node], key])


def describe_columns(manifest: dict[str, Any]) -> None:
    """Add to the columns of every mart and view in dbt's manifest what ``schemas`` says of them."""
    for table in (*marts().values(), *views().values()):
        described = manifest["nodes"].get(f"model.{PROJECT}.{table.name}", {}).get("columns", {})
        for column in table.columns:
            if column.name in described:
                described[column.name]["description"] = column.description


def _exposure(page: Page) -> dict[str, Any]:
    address = page.path.removesuffix("index")
    name = "page_" + (address.strip("/").replace("/", "_").replace("-", "_") or "home")
    return {
        "name": name,
        "resource_type": "exposure",
        "package_name": PROJECT,
        "path": page.file,
        "original_file_path": page.file,
        "unique_id": f"exposure.{PROJECT}.{name}",
        "fqn": [PROJECT, name],
        "type": "dashboard",
        "owner": {"email": None, "name": OWNER},
        "description": page.description,
        "label": "Home" if address == "/" else page.title,
        "maturity": "high",
        "meta": {},
        "tags": [],
        "config": {"enabled": True, "tags": [], "meta": {}},
        "unrendered_config": {},
        "url": address,
        "depends_on": {"macros": [], "nodes": [f"model.{PROJECT}.{mart}" for mart in page.marts]},
        "refs": [{"name": mart, "package": None, "version": None} for mart in page.marts],
        "sources": [],
        "metrics": [],
    }
