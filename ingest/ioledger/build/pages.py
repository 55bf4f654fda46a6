"""
What each page of the site brings along in its front matter, so that no list names the pages.

``nav`` is its entry in the navigation, or ``none``: pages stand in the order of their numbers, and a section where the
first of its pages stands. ``queries`` lists the queries in ``site/data`` that belong to the page, each with the title
under which the SQL page offers it, or ``none``. ``description`` is its sentence in the lineage. The marts that a page
reads are those that its queries read; ``reads`` names what it gets in other ways. ``parts`` says that the queries which
it does not attach are shown in parts: by group of ``loads``, or by ``submissions`` once all together are too large.

A query that belongs to no page lies in ``site/queries`` and begins with the line ``-- Title: what it shows.``
"""

from __future__ import annotations

import json
import posixpath
import re
from functools import cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import duckdb
import msgspec

from ioledger.build.publish import SHUT
from ioledger.problems import Problem
from ioledger.submission import safe_yaml
from ioledger.submission.safe_yaml import Mistake
from ioledger.tables.schema import marts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

RULE = "R-SITE-2"
NONE = "none"
FIRST_QUERY = "tables"
"""The query that the SQL page opens with."""
FRAMEWORKS = {
    *("draft", "footer", "head", "header", "index", "keywords", "pager", "sidebar", "sql", "style", "theme", "toc")
}
"""What Observable Framework reads of front matter, beside the title."""
FENCED = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
TITLED = re.compile(r"-- ([^:\n]+): .+")
ATTACHED = re.compile(r"""FileAttachment\(\s*["'`]([^"'`]+)\.arrow["'`]""")
ENTRY = "Write `nav: {section: Compare, order: 110, name: Media}`, or `nav: none` for a page outside the navigation."


class Nav(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the navigation: its section, its place among all entries, and its name."""

    section: str
    order: int
    name: str


class FrontMatter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the project reads of a page's front matter; the module says what each key means."""

    title: str
    nav: Nav | Literal["none"]
    description: str = ""
    queries: dict[str, str] = {}
    parts: Literal["loads", "submissions"] | None = None
    reads: list[str] = []


class Page(NamedTuple):
    """
    A page: its file, its path as the site's framework knows it (``/devices/index``), and the marts that it reads.

    ``parted`` are the queries that it shows in parts.
    """

    file: str
    path: str
    front: FrontMatter
    marts: tuple[str, ...]
    parted: tuple[str, ...]

    @property
    def nav(self) -> Nav | None:
        """Its entry in the navigation."""
        return self.front.nav if isinstance(self.front.nav, Nav) else None


class Query(msgspec.Struct, frozen=True):
    """A query that the SQL page offers."""

    name: str
    title: str
    sql: str


def load_pages(site: Path) -> tuple[list[Page], list[Query], list[Problem]]:
    """Return the pages below ``site`` in the navigation's order, the saved queries, and what is wrong with them."""
    pages, problems = [], []
    for path in sorted(site.rglob("*.md")):
        name = path.relative_to(site).as_posix()
        if name.startswith("."):  # the framework's cache
            continue
        try:
            pages.append(_page(site, name))
        except Mistake as mistake:
            problems.append(Problem(f"site/{name}", f"line {mistake.line}", mistake.what, mistake.remedy, RULE))
    pages.sort(key=lambda page: (page.nav is None, page.nav.order if page.nav else 0, page.path))
    if not problems:
        problems = [*_misplaced([page for page in pages if page.nav]), *_astray(site, pages)]
    return pages, [] if problems else list(_saved(site, pages)), problems


def _page(site: Path, name: str) -> Page:
    """Read one page; raises ``Mistake`` with the line in its file."""
    text = (site / name).read_text(encoding="utf-8")
    front, lines = _front_matter(text)
    attached = {posixpath.normpath(posixpath.join(posixpath.dirname(name), each)) for each in ATTACHED.findall(text)}
    found: set[str] = set()
    for query in sorted(attached | {f"data/{each}" for each in front.queries}):
        each = posixpath.basename(query)
        line = lines.get(("queries", each)) or text.count("\n", 0, text.find(f"{each}.arrow")) + 1
        found |= _tables(site, f"{query}.sql", line)
    for mart in front.reads:
        if mart not in marts():
            raise Mistake(lines["reads",], f"there is no mart {mart}", "Name one of schemas/marts.", RULE)
    read = tuple(sorted(found & marts().keys() | set(front.reads)))
    if read and not front.description:
        remedy = "Say in one sentence what it shows; the lineage says it."
        raise Mistake(1, "the page has no `description`", remedy, RULE)
    parted = tuple(query for query in front.queries if front.parts and f"data/{query}" not in attached)
    return Page(f"site/{name}", f"/{name.removesuffix('.md')}", front, read, parted)


def _front_matter(text: str) -> tuple[FrontMatter, dict[safe_yaml.Path, int]]:
    """Return the front matter of a page and the line of each key; raises ``Mistake`` for what is wrong with it."""
    fenced = FENCED.match(text)
    if not fenced:
        remedy = f"Begin it with `---`, its title, and another `---`. {ENTRY}"
        raise Mistake(1, "the page has no front matter", remedy, RULE)
    try:
        stated, lines = safe_yaml.load_yaml(f"\n{fenced[1]}".encode())  # the empty line stands for the first `---`
        ours = {key: stated[key] for key in stated if key not in FRAMEWORKS} if isinstance(stated, dict) else stated
        return msgspec.convert(ours, FrontMatter), lines
    except Mistake as mistake:
        raise Mistake(mistake.line, mistake.what, mistake.remedy, RULE) from None
    except msgspec.ValidationError as error:
        remedy = ENTRY if "nav" in str(error) else "Mend the key."
        raise Mistake(1, f"front matter: {error}", remedy, RULE) from None


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """Return a database without tables, whose SQL parser is all that is asked."""
    return duckdb.connect(config=SHUT)


def _tables(site: Path, name: str, line: int) -> set[str]:
    """Return the tables that a query reads; raises ``Mistake`` at a line of its page when there is none."""
    query = site / name
    if not query.exists():
        raise Mistake(line, f"there is no query site/{name}", "Write it, or mend the name.", RULE)
    text = query.read_text(encoding="utf-8")
    (printed,) = _parser().execute("select json_serialize_sql(?)", [text]).fetchone() or ("",)
    parsed = json.loads(printed)
    if parsed["error"]:
        raise Mistake(line, f"site/{name} cannot be read: {parsed['error_message']}", "Mend the query.", RULE)
    return set(_names(parsed, frozenset()))


def _names(node: Any, parts: frozenset[str]) -> Iterator[str]:  # noqa: ANN401  (a parsed query)
    """Give the names of tables below a node of a parsed query; ``parts`` are names that the query itself gives."""
    if isinstance(node, list):
        for each in node:
            yield from _names(each, parts)
    elif isinstance(node, dict):
        if node.get("type") == "BASE_TABLE" and node["table_name"] not in parts:
            yield node["table_name"]
        for part in node.get("cte_map", {"map": []})["map"]:
            yield from _names(part["value"], parts)
            parts |= {part["key"]}
        yield from _names([value for key, value in node.items() if key != "cte_map"], parts)


def _misplaced(pages: Sequence[Page]) -> Iterator[Problem]:
    """Find two pages in one place of the navigation, and a page inside a section that is not its own."""
    seen: set[str] = set()
    for page, following in pairwise(pages):
        if not page.nav or not following.nav:
            continue
        if following.nav.order == page.nav.order:
            what = f"{page.file} has order {page.nav.order}, too"
            yield Problem(following.file, "", what, "Give it a number of its own.", RULE)
        seen.add(page.nav.section)
        if following.nav.section in seen - {page.nav.section}:
            what = f"it stands inside the section {following.nav.section}, and its own is {page.nav.section}"
            yield Problem(page.file, "", what, "Mend the name of its section, or its order.", RULE)


def _astray(site: Path, pages: Sequence[Page]) -> Iterator[Problem]:
    """Find queries that belong to two pages or to none, and queries without a title."""
    owner: dict[str, str] = {}
    for page in pages:
        for name in page.front.queries:
            if owner.setdefault(name, page.file) != page.file:
                yield Problem(page.file, "", f"{name} belongs to {owner[name]}", "Name it in one page.", RULE)
    for path in sorted((site / "data").glob("*.sql")):
        if path.stem not in owner:
            remedy = f"Add `{path.stem}: its title` to the `queries` of the page that shows it, or `{path.stem}: none`."
            yield Problem(f"site/data/{path.name}", "", "the query belongs to no page", remedy, RULE)
    for path in sorted((site / "queries").glob("*.sql")):
        if not TITLED.match(path.read_text(encoding="utf-8")):
            remedy = "Let the first line be `-- Title: what it shows.`"
            yield Problem(f"site/queries/{path.name}", "", "the query has no title", remedy, RULE)
        if path.stem in owner:
            what = f"{owner[path.stem]} has a query of this name"
            yield Problem(f"site/queries/{path.name}", "", what, "Choose another name.", RULE)


def _saved(site: Path, pages: Sequence[Page]) -> Iterator[Query]:
    """Give the saved queries: those that stand alone, then those of the pages in their order."""
    for path in sorted((site / "queries").glob("*.sql"), key=lambda path: (path.stem != FIRST_QUERY, path.stem)):
        sql = path.read_text(encoding="utf-8").strip()
        yield Query(path.stem, sql.removeprefix("-- ").partition(":")[0], sql)
    for page in pages:
        for name, title in page.front.queries.items():
            if title != NONE:
                yield Query(name, title, (site / "data" / f"{name}.sql").read_text(encoding="utf-8").strip())


def navigation(pages: Sequence[Page]) -> list[dict[str, Any]]:
    """Return the navigation as the site's framework wants it: sections with the names and paths of their pages."""
    entries = [(page.nav, page.path) for page in pages if page.nav]
    return [
        {"name": section, "pages": [{"name": nav.name, "path": path} for nav, path in group]}
        for section, group in groupby(entries, key=lambda entry: entry[0].section)
    ]
