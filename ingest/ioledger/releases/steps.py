"""
Code and data told apart by a build between two others: of the first one's data, by the second one's code.

Each step has one kind of change only. A row has the causes of the steps in which it moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from ioledger.releases.causes import Cause
from ioledger.releases.code import UNKNOWN
from ioledger.releases.matched import quoted

if TYPE_CHECKING:
    import duckdb

    from ioledger.releases.matched import Matched

Step = tuple[list["Matched"], list[Cause]]
"""The tables of one comparison, and the causes that numbers in its rows mean."""
NEITHER = Cause(UNKNOWN, "it moved in no step")


def in_steps(connection: duckdb.DuckDBPyConnection, found: list[Matched], steps: list[Step]) -> list[Cause]:
    """Give every row that differs the causes of both steps; return the causes that its numbers mean."""
    numbers: dict[Cause, int] = {}
    for table in found:
        if not table.counts:
            continue
        joins, names = [], []
        for number, (tables, _) in enumerate(steps):
            step = next((each for each in tables if each.name == table.name and each.counts), None)
            if step is None or step.keys != table.keys:
                names.append("cast(null as bigint)")
                continue
            keys = " and ".join(f"it.{quoted(key)} is not distinct from s{number}.{quoted(key)}" for key in table.keys)
            joins.append(f"left join caused_{step.place} as s{number} on {keys}")
            names.append(f's{number}."_cause"')
        columns = ", ".join(f'{name} as "_step{number}"' for number, name in enumerate(names))
        connection.execute(f"""
            create table stepped_{table.place} as
            select it.*, {columns} from changed_{table.place} as it {" ".join(joins)}
        """)  # noqa: S608  (names of tables and columns)
        query = f'select distinct "_step0", "_step1" from stepped_{table.place} order by all'  # noqa: S608
        pairs = connection.execute(query).fetchall()
        whys = [
            _both([told[at] for at, (_, told) in zip(pair, steps, strict=True) if at is not None]) for pair in pairs
        ]
        for why in whys:
            numbers.setdefault(why, len(numbers))
        columns_of_pairs = {
            f"_step{at}": pa.array([pair[at] for pair in pairs], pa.int64()) for at in range(len(steps))
        }
        answered = pa.table(columns_of_pairs | {"_cause": pa.array([numbers[why] for why in whys], pa.int64())})
        connection.register("answered", answered)
        connection.execute(f"""
            create table caused_{table.place} as
            select stepped.* exclude ("_step0", "_step1"), answered."_cause"
            from stepped_{table.place} as stepped
            join answered on stepped."_step0" is not distinct from answered."_step0"
                and stepped."_step1" is not distinct from answered."_step1"
        """)  # noqa: S608
        connection.unregister("answered")
    return list(numbers)


def _both(known: list[Cause]) -> Cause:
    """Return one cause of those of all steps in which a row moved; unknown where that of any is."""
    if not known:
        return NEITHER
    words = list(dict.fromkeys(cause.word for cause in known))
    reason = "; and ".join(cause.reason for cause in known)
    return Cause(UNKNOWN if UNKNOWN in words else " and ".join(sorted(words)), reason)
