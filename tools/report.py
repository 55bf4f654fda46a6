"""
Writes what new submissions add, for the comment on a pull request: ``python tools/report.py FOLDER``.

FOLDER has ``verdict.json``, which ``tools/verdict.py`` wrote, and a build of ``data/`` with the submissions. For each
point ``report.json`` has its value and its nearest published drives with the ratio, once each; and which stated fields
would make most comparisons surer. It is cut to size, whatever strangers' files hold.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "ingest")]

from ioledger import workspace  # noqa: E402  (the project lies above this script)
from ioledger.comparison import format_value  # noqa: E402
from ioledger.pulls.verdict import encode_report  # noqa: E402

if TYPE_CHECKING:
    import duckdb

NEAREST, FIELDS = 2, 3
"""Maximum number of published drives shown for a point, and of suggested fields."""
POINTS = """
select coalesce(load_profile, workload_id) as workload, queue_depth, configuration_id, point_id,
    coalesce(operations_per_second, throughput_bytes_per_second, latency_mean_seconds) as value,
    case when operations_per_second is not null then 'operations_per_second'
        when throughput_bytes_per_second is not null then 'throughput_bytes_per_second'
        else 'latency_mean_seconds' end as metric
from points where submission_id = $id order by workload, queue_depth, configuration_id
"""
COMPARED = """
select a_point_id, b_device, min_by(ratio, abs(ln(ratio))) as ratio from quotients
where a_submission_id = $id and b_submission_id <> $id and ratio is not null and metric <> 'latency_mean_seconds'
group by a_point_id, b_device order by a_point_id, min(abs(ln(ratio))), b_device
"""
UNKNOWN = """
with keys as (
    select unnest(unknown_keys) as name, comparison_count from pairs
    where $id in (a_submission_id, b_submission_id)
)
select name from keys group by name order by sum(comparison_count) desc, name limit $limit
"""


def submission(connection: duckdb.DuckDBPyConnection, identity: str) -> dict[str, Any]:
    """Return what one submission adds to the database."""
    near: dict[str, list[dict[str, str]]] = {}
    for point, device, ratio in connection.execute(COMPARED, {"id": identity}).fetchall():
        near.setdefault(point, []).append({"device": device, "ratio": f"{ratio:.3g} times"})
    points = [
        {
            "workload": workload,
            "queue_depth": depth,
            "value": format_value(value, metric),
            "nearest": near.get(point, [])[:NEAREST],
        }
        for workload, depth, _, point, value, metric in connection.execute(POINTS, {"id": identity}).fetchall()
    ]
    improve = connection.execute(UNKNOWN, {"id": identity, "limit": FIELDS}).fetchall()
    return {"id": identity, "point_count": len(points), "points": points, "improve": [name for (name,) in improve]}


def main() -> int:
    """Write the report."""
    folder = Path(sys.argv[1])
    own = [each["name"] for each in json.loads((folder / "verdict.json").read_bytes())["folders"]]
    database = workspace.Workspace(folder).database
    with workspace.open_database(database, "Build it: `ioledger build`.") as connection:
        found = [submission(connection, identity) for identity in own]
    (folder / "report.json").write_bytes(encode_report({"submissions": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
