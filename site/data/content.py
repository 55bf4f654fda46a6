"""What the pages of a device and of a submission show first; files beside it have what a reader opens there."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import parts
from rows import Found, Row, fetch, group_rows, locate_file, pack_rows, records, run_query, split_rows, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb
    from rows import Names

RESULTS_PER_FILE = 1000
STANDING = ("configurations", "drives", "contradictions")
LATER = ("claims", "figures")
FACTS = ("settings", "provenance")
"""What the table of facts has of the submissions that stand, of the others too: each has a page."""
RESULTS = """
    select
        results.submission_id, result_id, configuration_id, section,
        results.load_profile, operation, queue_depth, queue_depth_low,
        queue_depth_high, repetition_index, test_name, operations_per_second, throughput_bytes_per_second,
        coalesce(latency_mean_seconds, latency_min_seconds, latency_max_seconds) as latency_seconds,
        value_kind, statistic, qualifier, printed_text, is_canonical, source_path, source_pointer, origin_path,
        origin_line
    from results
    order by
        results.submission_id, configuration_id, results.load_profile, queue_depth, repetition_index, source_path,
        result_id
"""
SWEEPS = """
    select
        workload_id, submission_id, configuration_id, section, load_profile, device_id, device, media_class,
        storage_topology, queue_depth, run_count, value_kind, operations_per_second, operations_per_second_low,
        operations_per_second_high, throughput_bytes_per_second, latency_kind, latency_mean_seconds, exclusions,
        point_id
    from points
    where coalesce(operations_per_second, throughput_bytes_per_second) is not null
    order by submission_id, configuration_id, load_profile, section, queue_depth, point_id
"""
"""Load steps that state a rate, each with the number that it leads to."""
FINDINGS = """
with located as (
    select
        findings.*, repetitions.configuration_id, repetitions.load_profile,
        if(findings.repetition_id is null, findings.finding_index, null) as own_index,
        if(findings.repetition_id is null, findings.file_id, null) as own_file_id,
        coalesce(try_cast(findings."values" ->> 'result_count' as bigint), 1) as result_count,
        coalesce(
            abs(ln(
                nullif(try_cast(findings."values" ->> 'outstanding_count' as double), 0)
                / nullif(try_cast(findings."values" ->> 'queue_depth' as double), 0)
            )),
            try_cast(findings."values" ->> 'cpu_user_ratio' as double)
            + try_cast(findings."values" ->> 'cpu_system_ratio' as double),
            0
        ) as departure
    from findings
    left join repetitions on findings.repetition_id = repetitions.repetition_id
)
select
    submission_id, rule_id, load_profile, cast(sum(result_count) as bigint) as result_count,
    first(message order by departure desc, file_id, finding_index) as message,
    first(source_path order by departure desc, file_id, finding_index) as source_path,
    first(source_pointer order by departure desc, file_id, finding_index) as source_pointer
from located
group by submission_id, rule_id, configuration_id, load_profile, own_file_id, own_index
order by submission_id, source_path, source_pointer, rule_id, load_profile
"""
"""Findings of a built database as they are shown: one per submission, rule and series, its worst case and its count."""
REPLIES = """
    select replies.* exclude (submission_id), replies.submission_id as reply_submission_id
    from raw.replies as replies
    inner join submissions using (submission_id)
    where replies.claim_id is null and submissions.status in ('active', 'disputed')
    order by replied_on desc, reply_submission_id, reply_id
"""
"""What is said to a submission as a whole; a reply to a claim stands beside its verdict."""
PEAKS = """
    select
        device_id, submission_id, configuration_id, section, workload_id, peaks.load_profile, metric, peak_value,
        peak_value_low, peak_value_high, independent_run_count, queue_depth, queue_depth_low, queue_depth_high,
        is_peak_at_edge, value_kind, storage_topology, drive_count, peak_id
    from peaks
    inner join workloads using (workload_id)
    where device_id is not null and metric = case access_pattern
        when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
    end
    qualify row_number() over (
        partition by device_id, peaks.workload_id, storage_topology, drive_count order by peak_value desc, peak_id
    ) <= 5
    order by device_id, peaks.load_profile, peak_value desc, peak_id
"""
BENCHES = """
    select
        device_id, submission_id, configuration_id, title, submission_title, storage_topology, drive_count,
        system_vendor, system_model, conditions, result_count
    from configurations
    where device_id is not null
    order by device_id, submission_id, configuration_id
"""
NEIGHBOURS = 4
"""How many drives of its medium the ladder of a device's page shows."""
COMPARED = """
    with compared as (
        select
            a_device_id as device_id, b_device_id, b_device, b_media_class, load_profile, metric, queue_depth,
            a_value, b_value, a_run_count, b_run_count, ratio, ratio_low, ratio_high, verdict, reason,
            tolerated_spread_ratio, condition_count, equal_count, differing_columns, differing_count, unknown_keys,
            unknown_count, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, pair_id,
            comparison_id
        from quotients
        inner join (select columns(lambda name: not regexp_matches(name, '^[ab]_')) from pairs) as conditions
            using (pair_id, operation)
        where a_device_id <> b_device_id and a_section = b_section
            and (a_submission_id = b_submission_id or a_section = 'tool output')
            and coalesce(ratio, ratio_low, ratio_high) is not null
        qualify row_number() over (
            partition by a_device_id, b_device_id, load_profile
            order by
                ratio is null, queue_depth nulls first, metric = 'latency_mean_seconds', differing_count,
                equal_count desc, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id,
                comparison_id
        ) = 1
    ),

    ranked as (
        select *, row_number() over (
            partition by device_id, b_device_id
            order by
                differing_count, load_profile <> '4 KiB random read', queue_depth nulls first, load_profile,
                comparison_id
        ) as place
        from compared
    )

    select * exclude (place)
    from ranked
    qualify row_number() over (
        partition by device_id order by place, differing_count, b_device, b_device_id, comparison_id
    ) <= 80
    order by
        device_id, min(differing_count) over (partition by device_id, b_device_id), b_device, b_device_id,
        load_profile, comparison_id
"""
"""Of each other device and workload one comparison; of many, those of each other device that say most."""
REFUSED = """
    with considered as (
        select pair_id, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id from pairs
        union
        select pair_id, b_submission_id, b_configuration_id, a_submission_id, a_configuration_id from pairs
    )

    select
        a.device_id, b.device_id as b_device_id, coalesce(short_name, devices.device) as b_device,
        b.media_class as b_media_class, reason as reasons,
        list_sort(list_distinct(flatten(list(reason_columns)))) as deciding
    from considered
    inner join excluded_loads using (pair_id)
    inner join configurations as a on (a_submission_id, a_configuration_id) = (a.submission_id, a.configuration_id)
    inner join configurations as b on (b_submission_id, b_configuration_id) = (b.submission_id, b.configuration_id)
    inner join devices on b.device_id = devices.device_id
    anti join quotients on (a.device_id, b.device_id) = (a_device_id, b_device_id)
    where a.device_id <> b.device_id
    group by a.device_id, b.device_id, short_name, devices.device, b.media_class, reason
    qualify row_number() over (partition by a.device_id, b.device_id order by sum(load_count) desc, reason) = 1
    order by a.device_id, b_media_class, b_device, b_device_id
"""
"""Devices that a device cannot be compared with, each with the reason that holds for most of their loads."""
USED = """
    select
        a_submission_id as submission_id, b_submission_id as other_id, submissions.title as other_title,
        count(*) as quotient_count, count(distinct pair_id) as pair_count
    from quotients
    inner join submissions on b_submission_id = submissions.submission_id
    group by all
    order by a_submission_id, quotient_count desc, other_id
"""
"""Which submissions the numbers of one are compared with, itself among them."""
CURVES = """
    with steps as (
        select points.*, title, system_model, controller_model, run_time_seconds
        from points
        inner join workloads using (workload_id)
        inner join configurations using (submission_id, configuration_id)
        where
            is_complete and points.storage_topology = 'single' and load_basis = 'outstanding'
            and points.device_id is not null and operations_per_second is not null and latency_mean_seconds is not null
            and not regexp_matches(
                coalesce(array_to_string(exclusions, '; '), ''), 'profiler|emulated|not reached|failed|short run'
            )
    ),

    chosen as (
        select device_id, workload_id, submission_id, configuration_id, section, process_count, engine
        from steps
        group by device_id, workload_id, submission_id, configuration_id, section, process_count, engine
        having count(distinct queue_depth) >= 3
        qualify row_number() over (
            partition by device_id, workload_id, submission_id, configuration_id
            order by
                coalesce(process_count, 1), count(*) filter (where len(exclusions) > 0),
                count(distinct queue_depth) desc, max(operations_per_second) desc, section, engine
        ) = 1
    )

    select
        device_id, workload_id, steps.load_profile, submission_id, configuration_id, title, system_model,
        controller_model, run_time_seconds, steps.process_count, steps.queue_depth, operations_per_second,
        operations_per_second_low as low_per_second, operations_per_second_high as high_per_second,
        latency_mean_seconds, latency_kind, steps.run_count, steps.value_kind, reservations, exclusions, point_id,
        queue_depth_before, queue_depth_knee
    from steps
    inner join chosen using (device_id, workload_id, submission_id, configuration_id, section)
    left join (from peaks where metric = 'operations_per_second') as peaks
        on
            (steps.submission_id, steps.configuration_id, steps.section, steps.workload_id, steps.load_basis)
            = (peaks.submission_id, peaks.configuration_id, peaks.section, peaks.workload_id, peaks.load_basis)
            and peaks.process_count is not distinct from steps.process_count
    where
        steps.process_count is not distinct from chosen.process_count
        and steps.engine is not distinct from chosen.engine
    order by device_id, workload_id, submission_id, configuration_id, steps.queue_depth, point_id
"""
"""Operating curves of one device: of each load and configuration the sweep with the fewest processes."""
NOTHING: Found = ([], [])


def submissions(
    connection: duckdb.DuckDBPyConnection, groups: parts.Groups, named: Names, public: Path
) -> list[dict[str, Any]]:
    """Write the content of every submission's page; return name and title of each."""
    queries = {name: f"from {name} order by all" for name in (*STANDING, *LATER)}
    queries |= {name: f"from raw.{name} order by all" for name in FACTS} | {"findings": FINDINGS, "used": USED}
    tables = {name: split_rows(fetch(connection, query), "submission_id") for name, query in queries.items()}
    tables["files"] = _files(connection)
    replies = group_rows(records(connection, REPLIES), lambda row: row.get("claim_submission_id"))
    results = split_rows(named.say(fetch(connection, RESULTS)), "submission_id")
    steps = named.say(fetch(connection, SWEEPS))
    sweeps = parts.swept(steps, groups, "submission_id", ("configuration_id",), public / "parts" / "submissions")
    found = records(connection, "from submissions order by submission_id")
    folder = public / "content" / "submissions"
    for submission in found:
        name = submission["submission_id"]
        its = {table: pack_rows(rows.get(name, NOTHING)) for table, rows in tables.items()}
        page = {
            "submission": submission,
            "finding_count": its["findings"]["count"],
            "replies": replies.get(name, []),
            "loads": sweeps.get(name, []),
            "results": _results(results.get(name, NOTHING), folder / name),
        }
        write(folder / f"{name}.json", page | {table: its[table] for table in ("used", *STANDING, "files")})
        for table in (*LATER, "findings"):
            write(folder / name / f"{table}.json", {table: its[table]})
        write(folder / name / "facts.json", {table: its[table] for table in FACTS})
    return [{"id": each["submission_id"], "title": each["title"]} for each in found]


def devices(
    connection: duckdb.DuckDBPyConnection, groups: parts.Groups, named: Names, public: Path
) -> list[dict[str, Any]]:
    """Write the content of every device's page; return name and title of each."""
    queries = {"configurations": BENCHES, "peaks": PEAKS, "compared": COMPARED, "refused": REFUSED}
    tables = {name: fetch(connection, query) for name, query in queries.items()}
    tables["rounds"] = run_query(connection, "first-round-setups")
    of_device = {name: split_rows(named.say(table), "device_id") for name, table in tables.items()}
    names, steps = named.say(fetch(connection, SWEEPS))
    place = names.index("storage_topology")
    single = (names, [row for row in steps if row[place] == "single"])
    split = ("submission_id", "configuration_id")
    sweeps = parts.swept(single, groups, "device_id", split, public / "parts" / "devices")
    found_curves = named.say(fetch(connection, CURVES))
    curves = parts.by_load(found_curves, "curves", "device_id", public / "parts" / "curves")
    of_device = {"ladder": _rungs(named.say(run_query(connection, "media-ladder"), together=True)), **of_device}
    found = records(connection, "from devices order by device_id")
    for device in found:
        name = device["device_id"]
        page = {"device": device, "loads": sweeps.get(name, []), "curves": curves.get(name, [])}
        page |= {table: pack_rows(rows.get(name, NOTHING)) for table, rows in of_device.items()}
        write(public / "content" / "devices" / f"{name}.json", page)
    return [{"id": each["device_id"], "title": _name_device(each)} for each in found]


def _name_device(device: Mapping[str, Any]) -> str:
    """Return what a device is called: where neither maker nor model is known, what tells it from others like it."""
    unknown = all(device.get(field) in {None, "unknown"} for field in ("vendor", "model"))
    name = device.get("short_name") if unknown else device.get("device")
    return str(name or device["device_id"])


def _rungs(ladder: Found) -> dict[str, Found]:
    """Return for each device on the ladder the rows of the drives of its medium that stand next to it, load by load."""
    names, rows = ladder
    medium, load, device, origin = map(names.index, ("media_class", "load_profile", "device_id", "origin"))
    ends = names.index("operations_per_second"), names.index("peak_value")
    steps = group_rows((row for row in rows if row[origin] == "measured"), operator.itemgetter(medium, load))
    around: dict[str, list[Row]] = {}
    for its in steps.values():
        for end in ends:
            like = sorted((row for row in its if row[end] is not None), key=operator.itemgetter(end, device))
            for place, own in enumerate(like):
                if end == ends[0] or own[ends[0]] is None:
                    first = max(0, min(place - NEIGHBOURS // 2, len(like) - NEIGHBOURS))
                    around.setdefault(own[device], []).extend(like[first : first + NEIGHBOURS])
    return {name: (names, its) for name, its in around.items()}


def _files(connection: duckdb.DuckDBPyConnection) -> dict[str, Found]:
    """Return the files of each submission as they were handed in, and where the site serves each."""
    names, rows = fetch(connection, "from files where document_index is null order by all")
    submission, path, size = (names.index(name) for name in ("submission_id", "path", "size_bytes"))
    served = [(*row, locate_file(row[submission], row[path], row[size])) for row in rows]
    return split_rows(([*names, "served_as"], served), "submission_id")


def _results(found: Found, folder: Path) -> list[dict[str, Any]]:
    """Write the results in files of a thousand; return the files, and the configurations that begin and end each."""
    names, rows = found
    listed: list[dict[str, Any]] = []
    for number, start in enumerate(range(0, len(rows), RESULTS_PER_FILE), 1):
        part: list[Row] = rows[start : start + RESULTS_PER_FILE]
        configuration = names.index("configuration_id")
        write(folder / f"results-{number}.json", {"results": pack_rows((names, part))})
        ends = {"first": part[0][configuration], "last": part[-1][configuration]}
        listed.append({"name": f"results-{number}", "count": len(part), **ends})
    return listed
