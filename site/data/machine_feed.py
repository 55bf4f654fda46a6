# ruff: noqa: INP001  (part of a script of the site, not a module of the package)
"""
The Atom feed of submissions and of changes of their state, and the map of the site for search engines.

Days are those that the submissions state, never that of the build. Ids are ``tag:`` addresses (RFC 4151): they name the
entry, not the page, and so stay when the site moves within its host.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from machine_api import FOLDER

from ioledger.releases.descriptions import AUTHORS, TITLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ioledger.releases.descriptions import Release

ATOM = "http://www.w3.org/2005/Atom"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
NOWHERE = "ioledger.invalid"
"""The authority of the ids where the site has no address yet: a name that RFC 2606 keeps free."""
YEAR = 2026
"""Year in which the ids of the feed were first given; part of each."""
LANGUAGES = {"en": "", "ja": "ja/"}
"""Languages of the pages, and the folder of each."""
NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, however they are written."""


class Entry(NamedTuple):
    """An entry of the feed: what happened on a day to a submission, ``event`` naming it within the submission."""

    submission_id: str
    event: str
    day: str
    title: str
    words: str
    author: str


def write(submissions: list[dict[str, Any]], paths: Iterable[tuple[str, str]], public: Path, release: Release) -> None:
    """
    Write ``feed.xml``, and ``sitemap.xml`` with ``robots.txt`` where the site has an address.

    A map knows whole addresses only. It names the pages that are browsed; ``site/numbers/write.mjs`` adds the numbers.
    """
    ET.register_namespace("", ATOM)
    _put(public / "feed.xml", feed(entries(submissions), release))
    if release.address:
        _put(public / "sitemap.xml", sitemap(paths, release.address))
        words = f"User-agent: *\nDisallow:\n\nSitemap: {release.address}sitemap.xml\n"
        (public / "robots.txt").write_text(words, encoding="utf-8")


def entries(submissions: list[dict[str, Any]]) -> list[Entry]:
    """Return what happened to the submissions, the latest first."""
    found = []
    for each in submissions:
        name, title = each["submission_id"], each["title"]
        words = each["summary"] or each["title"]
        found.append(Entry(name, "submitted", each["submitted_on"], title, words, each["submitted_by"]))
        if each["status_changed_on"]:
            state = each["status"].replace("_", " ")
            reason = each["status_reason"] or f"It is {state} now."
            found.append(Entry(name, state, each["status_changed_on"], f"{title}: {state}", reason, AUTHORS))
    return sorted(found, key=lambda entry: (entry.day, entry.submission_id, entry.event), reverse=True)


def feed(found: Sequence[Entry], release: Release) -> ET.Element:
    """Return the feed; links are relative where the site has no address."""
    root = ET.Element(f"{{{ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": "en"})
    _text(root, "id", _tag(release, "feed"))
    _text(root, "title", TITLE)
    _text(root, "subtitle", "New submissions, and submissions that became disputed, superseded or withdrawn")
    _text(root, "updated", _instant(release.day))
    _link(root, release.at("feed.xml"), "self", "application/atom+xml")
    _link(root, release.at(""), "alternate", "text/html")
    _text(_child(root, "author"), "name", AUTHORS)
    _text(root, "rights", "CC-BY-4.0, unless a submission names another licence")
    for each in found:
        entry = _child(root, "entry")
        page = f"submissions/{each.submission_id}"
        _text(entry, "id", _tag(release, f"{page}/{each.event.replace(' ', '-')}"))
        _text(entry, "title", each.title)
        _text(entry, "published", _instant(each.day))
        _text(entry, "updated", _instant(each.day))
        _link(entry, release.at(page), "alternate", "text/html")
        _link(entry, release.at(f"{FOLDER}/{page}.json"), "alternate", "application/json")
        _text(_child(entry, "author"), "name", each.author)
        _text(entry, "summary", each.words)
    return root


def sitemap(paths: Iterable[tuple[str, str]], address: str) -> ET.Element:
    """Return the map: ``paths`` are pages with the day of their data (or ``""``), each in every language."""
    ET.register_namespace("xhtml", XHTML)
    ET.register_namespace("", SITEMAP)
    root = ET.Element(f"{{{SITEMAP}}}urlset")
    for path, day in paths:
        for folder in LANGUAGES.values():
            place = ET.SubElement(root, f"{{{SITEMAP}}}url")
            ET.SubElement(place, f"{{{SITEMAP}}}loc").text = f"{address}{folder}{path}"
            if day:
                ET.SubElement(place, f"{{{SITEMAP}}}lastmod").text = day
            for language, other in LANGUAGES.items():
                alternate = {"rel": "alternate", "hreflang": language, "href": f"{address}{other}{path}"}
                ET.SubElement(place, f"{{{XHTML}}}link", alternate)
    return root


def _tag(release: Release, name: str) -> str:
    place = urlsplit(release.address or "")
    return f"tag:{place.hostname or NOWHERE},{YEAR}:{place.path.strip('/') or 'ioledger'}/{name}"


def _instant(day: str) -> str:
    return f"{day}T00:00:00Z"


def _child(parent: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(parent, f"{{{ATOM}}}{name}")


def _text(parent: ET.Element, name: str, text: str) -> None:
    _child(parent, name).text = NO_XML.sub("\ufffd", text)


def _link(parent: ET.Element, address: str, relation: str, kind: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}link", {"rel": relation, "type": kind, "href": address})


def _put(path: Path, root: ET.Element) -> None:
    ET.indent(root)
    path.write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")
