"""
What Spark says for the words of DuckDB that it does not have: one expression for each, by the word.

The models are written once, in the SQL of DuckDB. ``:1`` is the first argument. Whatever is not here, sqlglot knows, or
both engines say alike.
"""

from __future__ import annotations

KNOWN = "array_compact(:1)"
TOTAL = f"aggregate({KNOWN}, cast(0 as double), (total, each) -> total + each)"
SUM = f"if(array_size({KNOWN}) > 0, {TOTAL}, cast(null as double))"
MEAN = f"{TOTAL} / array_size({KNOWN})"
SORTED = "array_sort(:1)"
LOWER, UPPER = (f"element_at({SORTED}, cast(floor((array_size(:1) + {more}) / 2) as int))" for more in (1, 2))
MEDIAN = f"if(array_size(:1) > 0, ({LOWER} + {UPPER}) / 2, cast(null as double))"
NOTHING = "named_struct('n', cast(0 as double), 'mean', cast(0 as double), 'squares', cast(0 as double))"
STEP = "seen.mean + (each - seen.mean) / (seen.n + 1)"
VARIANCE = (
    f"aggregate({KNOWN}, {NOTHING}, (seen, each) -> named_struct('n', seen.n + 1, 'mean', {STEP}, "
    f"'squares', seen.squares + (each - seen.mean) * (each - ({STEP}))), "
    "seen -> case when seen.n > 1 then seen.squares / (seen.n - 1) end)"
)
"""Mean and squares are brought forward value by value (Welford), so that large values with a small spread keep it."""

WORDS: dict[str, str] = {
    # lists
    "len": "array_size(:1)",
    "list_sum": SUM,
    "list_avg": MEAN,
    "list_max": "array_max(:1)",
    "list_var_samp": VARIANCE,
    "list_median": MEDIAN,
    "list_sort": SORTED,
    "list_distinct": "array_compact(array_distinct(:1))",
    "list_contains": "array_contains(:1, :2)",
    "list_has_any": "arrays_overlap(:1, :2)",
    "list_has_all": "array_size(array_except(:2, :1)) = 0",
    "list_intersect": "array_intersect(:1, :2)",
    # the places of a list in the order of its values, and the values at places
    "list_grade_up": (
        "transform(array_sort(transform(:1, (each, at) -> struct(each as value, at + 1 as at))), each -> each.at)"
    ),
    "list_select": "transform(:2, at -> element_at(:1, at))",
    "list_concat": "concat(coalesce(:1, array()), coalesce(:2, array()))",
    "list_filter": "filter(:1, :2)",
    "list_transform": "transform(:1, :2)",
    "generate_subscripts": "transform(:1, (each, place) -> place + 1)",
    "array_to_string": "array_join(:1, :2)",
    # texts
    "contains": "contains(:1, :2)",
    "string_split": "split(:1, concat('\\\\Q', :2, '\\\\E'))",
    "regexp_matches": "rlike(:1, :2)",
    # numbers
    "isinf": "abs(:1) = double('infinity')",
    "isfinite": "not isnan(:1) and abs(:1) < double('infinity')",
    # moments
    "epoch_us": "unix_micros(cast(:1 as timestamp))",
    "to_microseconds": "make_dt_interval(0, 0, 0, cast(:1 / 1000000 as decimal(18, 6)))",
    # what tells rows apart
    "hash": "xxhash64(to_json(struct(:1)))",
}
