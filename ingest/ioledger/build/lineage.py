"""
The lineage of every published number as a page: dbt's own documentation, made fit to publish.

dbt writes one self-contained file. It names the folder it was made in and carries links for its makers' analytics; the
folder is taken out, and a Content-Security-Policy forbids every request, so that the page only shows.
"""

from __future__ import annotations

from pathlib import Path

from ioledger.tables.schema import ROOT

PAGE = Path("lineage", "index.html")
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'"
)


def publish(documentation: Path, site: Path) -> Path:
    """
    Write dbt's static documentation into a built site; return the page.

    ``documentation`` is the ``static_index.html`` that ``dbt docs generate --static`` wrote, ``site`` the folder of the
    built site.
    """
    text = documentation.read_text(encoding="utf-8").replace(str(ROOT), ".")
    head = f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    page = site / PAGE
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text.replace("<head>", head, 1), encoding="utf-8")
    return page
