"""A small site of the tests' own: pages, messages and queries like those of the project, whatever the project shows."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from forks import Forks

MEDIA = """/*---
words: media
nav: {section: compare, order: 110, name: nav.media}
queries: [media-kinds, media-tops]
documents: [rules]
---*/
import {html} from "htl";

export default async function page({rows, t}) {
  const ladder = await rows("media-kinds");
  return html`<div><h1>${t("media.title")}</h1>${ladder.length}</div>`;
}
"""
DEVICE = """/*---
words: device
nav: none
reads: [devices]
---*/
import {html} from "htl";
import {named} from "../../components/named.js";

export default async function page({content}) {
  return html`<h1>${named((await content()).device)}</h1>`;
}
"""
TALLY = """/*---
words: tally
nav: {section: trust, order: 410, name: nav.tally}
queries: [tally]
parts: submissions
---*/
export default async function page({parts}) {
  return document.createTextNode((await parts("tally")).length);
}
"""
FILES = {
    "pages/media.js": MEDIA,
    "pages/devices/[device].js": DEVICE,
    "pages/tally.js": TALLY,
    "components/named.js": 'export const named = (device) => device.device;\nconst kind = "d3";\n',
    "data/media-kinds.sql": "select device_id, media_class from devices order by device_id\n",
    "data/media-tops.sql": "with devices as (from peaks) select count(*) as peak_count from devices\n",
    "data/tally.sql": "select submission_id, md5(repetition_id || n) as words from repetitions, range(40) as t(n)\n",
    "queries/tables.sql": "-- Tables: what there is.\nshow tables\n",
    "style.css": '@import url("styles/base.css");\n',
    "styles/base.css": "body { margin: 0; }\n",
}
WORDS = {
    "en": {
        "device.description": "One device.",
        "device.title": "{title}",
        "media.description": "Media.",
        "media.title": "How do media differ?",
        "nav.media": "Media",
        "nav.tally": "Tally",
        "query.media-kinds": "Media: ladder",
        "tally.description": "Tally.",
        "tally.title": "Tally",
    },
    "ja": {
        "device.description": "1 台。",
        "device.title": "{title}",
        "media.description": "媒体。",
        "media.title": "媒体はどう違うか",
        "nav.media": "媒体",
        "nav.tally": "集計",
        "query.media-kinds": "媒体の比較",
        "tally.description": "集計。",
        "tally.title": "集計",
    },
}


def write(site: Path) -> Path:
    """Write the site's sources into a folder, with the scripts of the project beside them; return it."""
    shutil.copytree(ROOT / "site" / "data", site / "data")
    for name, text in FILES.items():
        put(site / name, text)
    for language, words in WORDS.items():
        put(site / "messages" / f"{language}.json", json.dumps(words, ensure_ascii=False))
    return site


def put(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(forks: Forks, site: Path, scratch: Path, dataset: Path, *part: str) -> subprocess.CompletedProcess[str]:
    """Run the pass of a site, or a part of it, over a dataset, as a build does; that has ``build`` and ``data``."""
    variables = {"IOLEDGER_BUILD": str(dataset / "build"), "IOLEDGER_DATA": str(dataset / "data")}
    variables["IOLEDGER_SITE_URL"] = "https://ledger.example/site/"
    done = forks.call(scratch, *part, script=site / "data" / "write.py", **variables)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
