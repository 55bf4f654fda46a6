"""
Every row that differs gets its cause; rows about the same measurement have the same one, so groups are asked.

Raw tables come first; what moved in them are the operands of what models make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ioledger.releases.causes import (
    BELIEVED,
    BOOKKEEPING,
    Cause,
    Derived,
    File,
    Handed,
    Inputs,
    Link,
    Operand,
    Raw,
    of_raw,
)
from ioledger.releases.code import COMPUTED, Code
from ioledger.releases.matched import MOVED, SIDES, Matched, quoted, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from ioledger.releases.sides import Side

Row = dict[str, Any]
SUBMISSION, FILE, RESULT, RULE = "submission_id", "file_id", "result_id", "rule_id"
ABOUT = ("submission_id", "configuration_id", "workload_id")


class Attributed:
    """The causes of rows that ``matched`` kept in a connection: a table ``caused_<n>`` beside each ``changed_<n>``."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, before: Side, after: Side, step: str = "") -> None:
        """Take the connection, both sides, and the step whose rows these are."""
        self._connection = connection
        self._owner_table = f"owners_{step}"
        self._sides = before, after
        self._code = Code(before, after)
        self.causes: list[Cause] = []
        """Every cause that a row has; its place in the list is its number in ``caused_<n>``."""
        self._numbers: dict[Cause, int] = {}

    def all(self, found: list[Matched]) -> None:
        """Give every row that differs the cause that the evidence of the two sides shows."""
        changed = [table for table in found if table.counts]
        raw = [table for table in changed if not table.is_mart]
        self._owners(raw)
        inputs = Inputs(self._files(raw), self._submissions())
        operands: dict[Link, list[Operand]] = {}
        for table in sorted(raw, key=lambda table: table.bare in COMPUTED):  # they are made of the others
            if table.bare in COMPUTED:
                self._of_computed(table, inputs, operands)
            else:
                self._of_raw(table, inputs)
            self._add_operands(table, operands)
        for table in changed:
            if table.is_mart:
                self._of_derived(table, Derived(table.bare, operands, inputs, self._code))
                for same in raw:
                    if same.bare == table.bare and same.keys == table.keys:
                        self._carried(table, same)

    def _rows(self, query: str) -> Iterator[Row]:
        cursor = self._connection.execute(query)
        names = [name for name, *_ in cursor.description or ()]
        while batch := cursor.fetchmany(10_000):
            yield from (dict(zip(names, row, strict=True)) for row in batch)

    def _number(self, cause: Cause) -> int:
        if cause not in self._numbers:
            self._numbers[cause] = len(self.causes)
            self.causes.append(cause)
        return self._numbers[cause]

    def _from(self, name: str, columns: tuple[str, ...]) -> list[str]:
        """Return SQL that reads columns of a table, of each side; one that a side has not is null there."""
        sources = []
        for side in self._sides:
            path = side.tables.get(name)
            if path is None:
                sources.append(f"select {', '.join(f'null as {column}' for column in columns)} where false")
                continue
            source = "read_parquet('" + str(path).replace("'", "''") + "')"
            described = self._connection.execute(f"describe select * from {source}").fetchall()  # noqa: S608  (own files)
            known = {column for column, *_ in described}
            listed = ", ".join(column if column in known else f"null as {column}" for column in columns)
            sources.append(f"select {listed} from {source}")  # noqa: S608
        return sources

    def _owners(self, raw: list[Matched]) -> None:
        """Make a table that has submission, file and load of every result of either side that a raw row may name."""
        own = self._from("results", (RESULT, SUBMISSION, FILE, "configuration_id"))
        loads = self._from("marts/results", (RESULT, "workload_id"))
        needed = any(RESULT in table.links for table in raw)
        self._connection.execute(f"""
            create table {self._owner_table} as
            select result_id, any_value(cast(submission_id as varchar)) as submission_id,
                any_value(cast(file_id as varchar)) as file_id,
                any_value(cast(configuration_id as varchar)) as configuration_id,
                any_value(cast(workload_id as varchar)) as workload_id
            from (({own[1]}) union all ({own[0]})) as own
            left join (select distinct on (result_id) * from (({loads[1]}) union all ({loads[0]}))) as loads
                using (result_id)
            where {"true" if needed else "false"}
            group by result_id
        """)  # noqa: S608  (own files)

    def _files(self, raw: list[Matched]) -> dict[str, File]:
        """Return what is known of the files that changed rows come from, by id."""
        own = "select file_id from changed_{}"
        by_result = "select file_id from changed_{} join {} using (result_id)"
        parts = [
            (own if FILE in table.links else by_result).format(table.place, self._owner_table)
            for table in raw
            if {FILE, RESULT} & {*table.links}
        ]
        if not parts:
            return {}
        columns = (FILE, "path", "source_sha256", "tool", "format")
        old, new = self._from("files", columns)
        versions = "select file_id, min(reader_version) as version from ({}) group by all"
        then, now = map(versions.format, self._from("results", (FILE, "reader_version")))
        rows = self._rows(f"""
            select file_id, coalesce(b.path, a.path) as path, coalesce(b.tool, a.tool) as tool,
                coalesce(b.format, a.format) as source_format, a.source_sha256 as old, b.source_sha256 as new,
                then_.version as then_version, now_.version as now_version
            from ({old}) as a full join ({new}) as b using (file_id)
            left join ({then}) as then_ using (file_id) left join ({now}) as now_ using (file_id)
            where file_id in ({" union ".join(parts)})
        """)  # noqa: S608
        return {row["file_id"]: _file(row) for row in rows}

    def _submissions(self) -> dict[str, Handed]:
        """Return the submissions that differ: those of one side, of another manifest, or in another state."""
        columns = (SUBMISSION, "status", "status_reason", "superseded_by", "manifest_sha256")
        old, new = ({row[SUBMISSION]: row for row in self._rows(query)} for query in self._from("submissions", columns))
        return {name: self._handed(name, old.get(name), new.get(name)) for name in sorted(old.keys() | new.keys())}

    def _handed(self, name: str, old: Row | None, new: Row | None) -> Handed:
        if old is None or new is None:
            return Handed("is new" if old is None else "is gone", is_manifest_other=True, state="")
        hashes = [
            row["manifest_sha256"] or (side.manifests or {}).get(name)
            for row, side in zip((old, new), self._sides, strict=True)
        ]
        is_other = hashes[0] != hashes[1] if all(hashes) else None
        state = f"{old['status']} → {new['status']}" if old["status"] != new["status"] else ""
        return Handed("", is_other, state)

    def _of_raw(self, table: Matched, inputs: Inputs) -> None:
        """Ask of rows by their submission, their file and the columns that moved."""
        told, joined = self._origin(table)
        self._caused(table, told, joined, lambda row: self._raw_cause(table, row, inputs))

    def _raw_cause(self, table: Matched, row: Row, inputs: Inputs) -> Cause:
        file = inputs.files.get(row["file"])
        return of_raw(Raw(table.bare, row["submission"], file, row["moved"]), inputs, self._code)

    def _origin(self, table: Matched) -> tuple[dict[str, str], str]:
        """Return SQL for submission, file and moved columns of a row, and the join that it needs."""
        is_by_result = SUBMISSION not in table.links and RESULT in table.links
        owned = f"left join {self._owner_table} as owners using ({RESULT})" if is_by_result else ""
        submission = f"owners.{SUBMISSION}" if is_by_result else SUBMISSION if SUBMISSION in table.links else "null"
        file = f"owners.{FILE}" if is_by_result else FILE if FILE in table.links else "null"
        return {"submission": submission, "file": file, "moved": '"_moved"'}, owned

    def _of_computed(self, table: Matched, inputs: Inputs, operands: dict[Link, list[Operand]]) -> None:
        """Ask of rows that are worked out of others; a finding that a reader told is one of its file."""
        derived = Derived(table.bare, operands, inputs, self._code)
        told, joined = self._origin(table)
        told["rule"] = RULE if RULE in table.links else "null"

        def ask(row: Row) -> Cause:
            if row["rule"] is not None and row["rule"] not in BELIEVED:
                return self._raw_cause(table, row, inputs)
            return derived.cause([Link(row["submission"], None, None)])

        self._caused(table, told, joined, ask)

    def _of_derived(self, table: Matched, derived: Derived) -> None:
        """Ask of rows by the measurements that they are about."""
        about = [name for name in table.links if name not in {FILE, RESULT, RULE}]
        ask = derived.alone(table.alone) if table.alone else lambda row: derived.cause(links(row))
        self._caused(table, {name: quoted(name) for name in about}, "", ask)

    def _carried(self, table: Matched, raw: Matched) -> None:
        """Give rows whose moved cells are those of the raw row of their key its cause: the model only carries them."""
        on = " and ".join(f"{{0}}.{quoted(key)} is not distinct from {{1}}.{quoted(key)}" for key in table.keys)
        same = [
            f"(not list_contains(string_split(it.\"_moved\", ','), {text(column)}) or "
            f"(am.{quoted(column)} is not distinct from ar.{quoted(column)} "
            f"and bm.{quoted(column)} is not distinct from br.{quoted(column)}))"
            if column in raw.columns
            else f"not list_contains(string_split(it.\"_moved\", ','), {text(column)})"
            for column in table.columns
        ]
        self._connection.execute(f"""
            create or replace table caused_{table.place} as
            select it.* replace (coalesce(carried."_cause", it."_cause") as "_cause")
            from caused_{table.place} as it
            left join (
                select it.rowid as "_row", own."_cause"
                from caused_{table.place} as it
                join caused_{raw.place} as own on {on.format("it", "own")} and own."_change" = '{MOVED}'
                join a_{table.place} as am on {on.format("it", "am")}
                join b_{table.place} as bm on {on.format("it", "bm")}
                join a_{raw.place} as ar on {on.format("it", "ar")}
                join b_{raw.place} as br on {on.format("it", "br")}
                where it."_change" = '{MOVED}' and {" and ".join(same) or "false"}
            ) as carried on it.rowid = carried."_row"
        """)  # noqa: S608  (names of tables and columns)

    def _caused(self, table: Matched, told: dict[str, str], joined: str, ask: Any) -> None:  # noqa: ANN401  (a function)
        """Ask for the cause of every group of rows, and keep the number of each row's cause."""
        place, names = table.place, [quoted(f"_by_{name}") for name in told]
        columns = "".join(f", {text} as {name}" for name, text in zip(names, told.values(), strict=True))
        self._connection.execute(f"""
            create table told_{place} as
            select changed_{place}.rowid as "_row"{columns} from changed_{place} {joined}
        """)  # noqa: S608  (names of tables and columns)
        self._connection.execute(f"""
            create table groups_{place} as
            select row_number() over () as "_group", *
            from (select distinct {", ".join(names) or "true as whole"} from told_{place})
        """)  # noqa: S608
        asked = list(self._rows(f"from groups_{place}"))
        numbers = [self._number(ask({name: row[f"_by_{name}"] for name in told})) for row in asked]
        answered = pa.table(
            {
                "_group": pa.array([row["_group"] for row in asked], pa.int64()),
                "_cause": pa.array(numbers, pa.int64()),
            }
        )
        self._connection.register("answered", answered)
        on = " and ".join(f"told_{place}.{name} is not distinct from groups_{place}.{name}" for name in names) or "true"
        self._connection.execute(f"""
            create table caused_{place} as select changed_{place}.*, "_cause"
            from changed_{place}
            join told_{place} on changed_{place}.rowid = told_{place}."_row"
            join groups_{place} on {on}
            join answered using ("_group")
        """)  # noqa: S608
        self._connection.unregister("answered")

    def _add_operands(self, table: Matched, operands: dict[Link, list[Operand]]) -> None:
        """Add the rows of a raw table that differ to those that others are made of."""
        own = {name: f"it.{name}" if name in table.links else "null" for name in ABOUT}
        joined = ""
        if RESULT in table.links:
            joined = f"left join {self._owner_table} as owners using ({RESULT})"
            own = {name: f"coalesce({column}, owners.{name})" for name, column in own.items()}
        for row in self._rows(f"""
            select {", ".join(f"{column} as {name}" for name, column in own.items())}, "_cause" as cause,
                "_moved" in {BOOKKEEPING} as is_bookkeeping, count(*) as rows, min("_key") as key
            from caused_{table.place} as it {joined} group by all order by all
        """):  # noqa: S608
            operand = Operand(table.bare, row["rows"], row["key"], self.causes[row["cause"]], row["is_bookkeeping"])
            operands.setdefault(Link(*(row[name] for name in ABOUT)), []).append(operand)


def _file(row: Row) -> File:
    change = "is new" if row["old"] is None else "is gone" if row["new"] is None else ""
    if not change and row["old"] != row["new"]:
        change = "has other bytes"
    versions = row["then_version"], row["now_version"]
    return File(row["path"], change, row["tool"], row["source_format"], versions)


def links(row: Row) -> list[Link]:
    """Return the measurements that a row of a mart is about: one, or both sides of a pair."""
    found = []
    for side in SIDES:
        names = [f"{side}{name}" for name in ABOUT]
        if any(row.get(name) is not None for name in names):
            link = Link(
                *(
                    row.get(own) if row.get(own) is not None else row.get(plain)
                    for own, plain in zip(names, ABOUT, strict=True)
                )
            )
            found.append(link)
    whole = [link for link in found if link.submission is not None]
    paired = [link for link in whole if link.configuration is not None]
    return paired or whole
