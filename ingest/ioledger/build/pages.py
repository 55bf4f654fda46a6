"""
What each page of the site brings along in its front matter, so that no list names the pages.

A page is a module ``site/pages/<path>.js`` that begins with its front matter in a comment, ``/*---`` to ``---*/``, and
draws itself. ``words`` names its messages in ``site/messages``: ``<words>.title`` and ``<words>.description``. ``nav``
is its entry in the navigation, or ``none``: pages stand in the order of their numbers, and a section where the first of
its pages stands. ``queries`` lists the queries in ``site/data`` that it reads, ``documents`` what it reads that is no
query. The marts behind a page are those of its queries; ``reads`` names what it gets in other ways. ``parts`` says that
the queries which it does not read whole, by ``rows("name")``, are shown in parts: by group of ``loads``, or by
``submissions`` once all together are too large. ``keywords`` are further words under which the search finds it.

A page whose name has brackets, as ``devices/[device].js``, stands for one page per device. A query that belongs to no
page lies in ``site/queries`` and begins with the line ``-- Title: what it shows.`` The SQL page offers a query under
the message ``query.<name>``; one of a page that has no such message is not offered.
"""

from __future__ import annotations

import json
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
from ioledger.tables.schema import marts, views

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

RULE = "R-SITE-2"
FIRST_QUERY = "tables"
"""The query that the SQL page opens with."""
LANGUAGES = ("en", "ja")
"""The languages of the site; the pages of the first lie at its root, those of another below ``/<language>/``."""
FENCED = re.compile(r"/\*---\n(.*?\n)---\*/\n", re.DOTALL)
TITLED = re.compile(r"-- ([^:\n]+): .+")
READ_WHOLE = re.compile(r"""\brows\(\s*["'`]([^"'`]+)["'`]""")
DEFAULT = re.compile(r"^export default\b", re.MULTILINE)
ENTRY = "Write `nav: {section: compare, order: 110, name: nav.media}`, or `nav: none` for a page outside of it."

Messages = dict[str, dict[str, str]]
"""By language, every word of the site by its key."""


class Nav(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the navigation: its section, its place among all entries, and the key of its name."""

    section: str
    order: int
    name: str


class FrontMatter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page's front matter says; the module says what each key means."""

    words: str
    nav: Nav | Literal["none"]
    queries: list[str] = []
    documents: list[str] = []
    parts: Literal["loads", "submissions"] | None = None
    reads: list[str] = []
    keywords: str = ""

    @property
    def title(self) -> str:
        """The key of its title."""
        return f"{self.words}.title"

    @property
    def description(self) -> str:
        """The key of its description."""
        return f"{self.words}.description"


class Page(NamedTuple):
    """A page: file, path in the site (``/devices/index``), its words, marts, and queries read whole or in parts."""

    file: str
    path: str
    front: FrontMatter
    title: str
    description: str
    marts: tuple[str, ...]
    whole: tuple[str, ...]
    parted: tuple[str, ...]
    nav: Nav | None
    is_made: bool
    """Whether it stands for one page per device or submission."""


class Query(msgspec.Struct, frozen=True):
    """A query that the SQL page offers, under its title in the site's first language."""

    name: str
    title: str
    sql: str


def load_messages(site: Path) -> tuple[Messages, list[Problem]]:
    """Return the words of the site, and what is wrong with their files."""
    messages: Messages = {}
    problems = []
    for language in LANGUAGES:
        name = f"messages/{language}.json"
        try:
            messages[language] = msgspec.json.decode((site / name).read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError) as error:
            remedy = "Write one object of keys and texts."
            problems.append(Problem(f"site/{name}", "", f"cannot be read: {error}", remedy, RULE))
    return messages, problems


def load_pages(site: Path) -> tuple[list[Page], list[Query], list[Problem]]:
    """Return the pages below ``site`` in the navigation's order, the saved queries, and what is wrong with them."""
    pages: list[Page] = []
    messages, problems = load_messages(site)
    if problems:
        return [], [], problems
    for path in sorted((site / "pages").rglob("*.js")):
        name = path.relative_to(site).as_posix()
        try:
            pages.append(_page(site, name, messages))
        except Mistake as mistake:
            problems.append(Problem(f"site/{name}", f"line {mistake.line}", mistake.what, mistake.remedy, RULE))
    pages.sort(key=lambda page: (page.nav is None, page.nav.order if page.nav else 0, page.path))
    if not problems:
        problems = [*_find_misplaced_pages(pages), *_astray(site, pages)]
    return pages, [] if problems else list(_list_saved_queries(site, pages, messages[LANGUAGES[0]])), problems


def _page(site: Path, name: str, messages: Messages) -> Page:
    """Read one page; raises ``Mistake`` with the line in its file."""
    text = (site / name).read_text(encoding="utf-8")
    front, lines = _front_matter(text)
    if not DEFAULT.search(text):
        raise Mistake(1, "it exports no page", "Write `export default async function page({rows, t}) { ... }`.", RULE)
    nav = front.nav if isinstance(front.nav, Nav) else None
    keys: list[tuple[safe_yaml.Path, str]] = [(("words",), front.title), (("words",), front.description)]
    if nav:
        keys.append((("nav", "name"), nav.name))
    for place, key in keys:
        for language in LANGUAGES:
            if key not in messages[language]:
                what = f"there is no message {key} in site/messages/{language}.json"
                raise Mistake(lines.get(place, 1), what, "Add it, or correct the key.", RULE)
    found: set[str] = set()
    for number, query in enumerate(front.queries):
        found |= _tables(site, f"data/{query}.sql", lines.get(("queries", number), lines.get(("queries",), 1)))
    for mart in front.reads:
        if mart not in marts() | views():
            raise Mistake(lines["reads",], f"there is no mart {mart}", "Name one of schemas/marts.", RULE)
    read = tuple(sorted(found & (marts() | views()).keys() | set(front.reads)))
    named = READ_WHOLE.findall(text)
    parted = tuple(query for query in front.queries if front.parts and query not in named)
    whole = tuple(query for query in front.queries if query not in parted)
    title, description = (messages[LANGUAGES[0]][key] for key in (front.title, front.description))
    path = f"/{name.removeprefix('pages/').removesuffix('.js')}"
    is_made = path.endswith("]")
    return Page(f"site/{name}", path, front, title, description, read, whole, parted, nav, is_made)


def _front_matter(text: str) -> tuple[FrontMatter, dict[safe_yaml.Path, int]]:
    """Return the front matter of a page and the line of each key; raises ``Mistake`` for what is wrong with it."""
    fenced = FENCED.match(text)
    if not fenced:
        remedy = f"Begin it with `/*---`, its words, and `---*/`. {ENTRY}"
        raise Mistake(1, "the page has no front matter", remedy, RULE)
    try:
        stated, lines = safe_yaml.load_yaml(f"\n{fenced[1]}".encode())  # the empty line stands for the first `/*---`
        return msgspec.convert(stated, FrontMatter), lines
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
        raise Mistake(line, f"there is no query site/{name}", "Write it, or correct the name.", RULE)
    text = query.read_text(encoding="utf-8")
    ((printed,),) = _parser().execute("select json_serialize_sql(?)", [text]).fetchall()
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


def _find_misplaced_pages(pages: Sequence[Page]) -> Iterator[Problem]:
    """Find two pages in one place of the navigation, and a page inside a section that is not its own."""
    seen: set[str] = set()
    for page, following in pairwise(pages):
        if not page.nav or not following.nav:
            return
        if following.nav.order == page.nav.order:
            what = f"{page.file} has order {page.nav.order}, too"
            yield Problem(following.file, "", what, "Give it a number of its own.", RULE)
        seen.add(page.nav.section)
        if following.nav.section in seen - {page.nav.section}:
            what = f"its order is inside the section {following.nav.section}, but it belongs to {page.nav.section}"
            yield Problem(page.file, "", what, "Correct the name of its section, or its order.", RULE)


def _astray(site: Path, pages: Sequence[Page]) -> Iterator[Problem]:
    """Find queries without a title, and those with the name of another."""
    owner = {query: page.file for page in pages for query in page.front.queries}
    for path in sorted((site / "queries").glob("*.sql")):
        if not TITLED.match(path.read_text(encoding="utf-8")):
            remedy = "Write the first line as `-- Title: what it shows.`"
            yield Problem(f"site/queries/{path.name}", "", "the query has no title", remedy, RULE)
        if path.stem in owner:
            what = f"{owner[path.stem]} has a query of this name"
            yield Problem(f"site/queries/{path.name}", "", what, "Choose another name.", RULE)


def _list_saved_queries(site: Path, pages: Sequence[Page], words: Mapping[str, str]) -> Iterator[Query]:
    """Give the saved queries: those that stand alone, then those of the pages in their order."""
    for path in sorted((site / "queries").glob("*.sql"), key=lambda path: (path.stem != FIRST_QUERY, path.stem)):
        sql = path.read_text(encoding="utf-8").strip()
        own = sql.removeprefix("-- ").partition(":")[0]
        yield Query(path.stem, words.get(f"query.{path.stem}", own), sql)
    for name in dict.fromkeys(query for page in pages for query in page.front.queries):
        if title := words.get(f"query.{name}"):
            yield Query(name, title, (site / "data" / f"{name}.sql").read_text(encoding="utf-8").strip())


def navigation(pages: Sequence[Page]) -> list[dict[str, Any]]:
    """Return the navigation: sections with the keys of the names and the paths of their pages."""
    entries = [(page.nav, page.path) for page in pages if page.nav]
    return [
        {"section": section, "pages": [{"name": nav.name, "path": path} for nav, path in group]}
        for section, group in groupby(entries, key=lambda entry: entry[0].section)
    ]
