"""
The SQL of the models, which is DuckDB's, as Spark reads it.

sqlglot does what both engines mean alike and write differently. What they mean differently, or Spark has no word for,
is stated here: a rule a construct, and :data:`WORDS` an expression for each function.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Columns = Callable[[str], list[str]]

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
    "array_to_string": "array_join(:1, :2)",
    # texts
    "contains": "contains(:1, :2)",
    "string_split": "split(:1, concat('\\\\Q', :2, '\\\\E'))",
    "regexp_matches": "rlike(:1, :2)",
    # numbers
    "isinf": "abs(:1) = double('infinity')",
    # moments
    "to_microseconds": "make_dt_interval(0, 0, 0, cast(:1 / 1000000 as decimal(18, 6)))",
    # what tells rows apart
    "hash": "xxhash64(to_json(struct(:1)))",
}


PLACE = re.compile(r":(\d)")
FORMATTED, TEXT = "formatted", "as_text"
"""The functions that format a number as Python and DuckDB do, and write a value as DuckDB does."""
TEXTED = f"if(typeof(:1) = 'double' or typeof(:1) like 'struct<%', {TEXT}(:1), cast(:1 as string))"
"""A text of a value; Spark knows the type before it runs, and calls the function for these two only."""
HEX = "0x"
"""How DuckDB knows digits of a number to the base 16 in a text."""
FIELD = re.compile(r"\{(:[^}]*)?\}")


class Models(DuckDB):
    """DuckDB's SQL; functions that stand in ``WORDS`` keep their names."""

    class Parser(DuckDB.Parser):  # type: ignore[valid-type, misc]  # sqlglot's own form
        """Reads them as names without a meaning."""

        FUNCTIONS = {  # noqa: RUF012  (sqlglot's own form)
            name: build for name, build in DuckDB.Parser.FUNCTIONS.items() if name.lower() not in {*WORDS, "format"}
        }


def to_spark(sql: str, columns: Columns) -> str:
    """
    Return a statement of the models as Spark reads it.

    ``columns`` gives the columns of a table, by its name as the statement writes it: unions by name need them.
    """
    (tree,) = (each for each in sqlglot.parse(sql, read=Models) if each is not None)
    for union in reversed(list(tree.find_all(exp.Union))):
        _line_up(union, columns)
    for each in tree.find_all(exp.CTE):
        each.set("materialized", None)
    for select in list(tree.find_all(exp.Select)):
        _replace_stars(select)
        _unnest(select)
    # from the leaves up, so that an aggregate finds its argument done
    for node in reversed(list(tree.walk(bfs=False))):
        new = _rewrite_node(node)
        if new is not node:
            node.replace(new)
    return tree.sql(dialect="spark", pretty=True)


def _rewrite_node(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Filter):
        return _aggregate(node.this, node.expression.this) or node
    if isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Filter):
        return _aggregate(node, None) or node
    if isinstance(node, exp.Anonymous):
        return _translate_function(node)
    return _translate_type(node)


def _translate_function(node: exp.Anonymous) -> exp.Expr:
    name = node.name.lower()
    if name in MADE:
        return MADE[name](node)
    return _word(name, node.expressions) if name in WORDS else node


def _translate_type(node: exp.Expr) -> exp.Expr:
    """Return what Spark cannot do in the form, or of the type, that DuckDB can."""
    if isinstance(node, exp.Round) and (decimals := node.args.get("decimals")) is not None:
        # DuckDB rounds the multiple, and Spark would the decimal number
        return _fill_places(f"round(cast(:1 as double) * 1e{decimals.name}D) / 1e{decimals.name}D", [node.this])
    if isinstance(node, exp.Cast) and node.to.is_type("text") and not isinstance(node.this, exp.Null | exp.Literal):
        return _fill_places(TEXTED, [node.this])
    if isinstance(node, exp.TryCast) and isinstance(node.this, exp.Concat) and node.this.expressions[0].name == HEX:
        return _fill_places("cast(conv(:1, 16, 10) as bigint)", [node.this.expressions[1]])
    return node


def _word(name: str, arguments: list[exp.Expr]) -> exp.Expr:
    return _fill_places(WORDS[name], arguments)


@cache
def _template(text: str) -> exp.Expr:
    return sqlglot.parse_one(PLACE.sub(r"place_\1", text), read="spark")


def _fill_places(text: str, arguments: Iterable[exp.Expr]) -> exp.Expr:
    given = list(arguments)
    whole = exp.Paren(this=_template(text).copy())
    for place in list(whole.find_all(exp.Column)):
        if place.name.startswith("place_"):
            argument = given[int(place.name.removeprefix("place_")) - 1].copy()
            is_simple = isinstance(argument, exp.Column | exp.Literal | exp.Func | exp.Lambda | exp.Paren | exp.Array)
            place.replace(argument if is_simple else exp.Paren(this=argument))
    inner = whole.this
    return whole if isinstance(inner, exp.Binary | exp.Connector | exp.Not | exp.Unary) else inner


def _aggregate(node: exp.Expr, condition: exp.Expr | None) -> exp.Expr | None:
    """Return an aggregate that Spark has no word for; None where sqlglot's will do."""
    order = node.this if isinstance(node.this, exp.Order) else None
    value = order.this if order else node.this
    if isinstance(node, exp.ArgMax | exp.ArgMin):
        # a null on either side takes no part in DuckDB's
        both = [
            exp.Not(this=exp.Is(this=exp.Paren(this=each.copy()), expression=exp.Null()))
            for each in (node.this, node.expression)
        ]
        return exp.Filter(this=node.copy(), expression=exp.Where(this=exp.and_(*both, condition)))
    if isinstance(node, exp.ArrayAgg):
        if isinstance(value, exp.Distinct):
            values = _collect_values("collect_set", value.expressions[0].copy(), condition)
            values = _word("list_sort", [values]) if order else values
        else:
            values = _in_order(value, order, condition)
        return _fill_places("if(array_size(:1) > 0, :1, null)", [values])
    if isinstance(node, exp.GroupConcat):
        return _join_texts(node, value, order, condition)
    if order and isinstance(node, exp.Avg | exp.Sum):
        given = exp.Not(this=exp.Is(this=exp.Paren(this=value.copy()), expression=exp.Null()))
        ordered = _in_order(value, order, exp.and_(given, condition))
        return _word("list_avg" if isinstance(node, exp.Avg) else "list_sum", [ordered])
    if order and isinstance(node, exp.First):
        return _fill_places("get(:1, 0)", [_in_order(value, order, condition)])
    return None


def _join_texts(
    node: exp.GroupConcat, value: exp.Expr, order: exp.Order | None, condition: exp.Expr | None
) -> exp.Expr:
    """Return the texts of a group with a separator between them, null where there is none."""
    if isinstance(value, exp.Distinct):
        texts = _word("list_sort", [_collect_values("collect_set", value.expressions[0].copy(), condition)])
    else:
        texts = _fill_places("array_compact(:1)", [_in_order(value, order, condition)])
    return _fill_places(
        "if(array_size(:1) > 0, array_join(:1, :2), cast(null as string))", [texts, node.args["separator"]]
    )


def _collect_values(name: str, value: exp.Expr, condition: exp.Expr | None) -> exp.Expr:
    made = exp.Anonymous(this=name, expressions=[value])
    return exp.Filter(this=made, expression=exp.Where(this=condition.copy())) if condition else made


def _in_order(value: exp.Expr, order: exp.Order | None, condition: exp.Expr | None) -> exp.Expr:
    """Return the values of a group as an array, nulls included, in the order stated."""
    keys = order.expressions if order else []
    fields = [exp.alias_(key.this.copy(), f"k{place}") for place, key in enumerate(keys)]
    row = exp.Anonymous(this="struct", expressions=[*fields, exp.alias_(value.copy(), "v")])
    rows = _collect_values("collect_list", row, condition)
    if keys:
        whens = " ".join(_compare_rows(place, key) for place, key in enumerate(keys))
        rows = _fill_places(f"array_sort(:1, (l, r) -> case {whens} else 0 end)", [rows])
    return _fill_places("transform(:1, each -> each.v)", [rows])


def _compare_rows(place: int, key: exp.Ordered) -> str:
    """Return the branches of a comparison of two rows by one key."""
    first, last = (1, -1) if key.args.get("desc") else (-1, 1)
    null = -1 if key.args.get("nulls_first") else 1
    one, other = f"l.k{place}", f"r.k{place}"
    return (
        f"when {one} is null and {other} is not null then {null} "
        f"when {one} is not null and {other} is null then {-null} "
        f"when {one} < {other} then {first} when {one} > {other} then {last}"
    )


def _list_aggregate(node: exp.Anonymous) -> exp.Expr:
    """Return what ``list_aggregate(list, name)`` says with the name as the word."""
    values, name = node.expressions
    if name.name == "mad":
        middle = _word("list_median", [values])
        deviations = _fill_places("transform(:1, each -> abs(each - :2))", [values, middle])
        return _word("list_median", [deviations])
    return _word(f"list_{name.name}", [values])


def _format(node: exp.Anonymous) -> exp.Expr:
    """Return a format as texts and formatted numbers one after the other."""
    pattern, *values = node.expressions
    parts: list[exp.Expr] = []
    texts = FIELD.split(pattern.name)
    for place, text in enumerate(texts):
        if place % 2 == 0:
            parts += [exp.Literal.string(text)] if text else []
        else:
            value = values[place // 2].copy()
            call = exp.Anonymous(this=FORMATTED, expressions=[exp.Literal.string(text[1:]), value]) if text else value
            parts.append(call)
    return parts[0] if len(parts) == 1 else exp.Anonymous(this="concat", expressions=parts)


MADE: dict[str, Callable[[exp.Anonymous], exp.Expr]] = {
    "list_aggregate": _list_aggregate,
    "format": _format,
    "row": lambda node: exp.Anonymous(this="struct", expressions=node.expressions),
}
"""Functions that no fixed expression stands for."""


def _replace_stars(select: exp.Select) -> None:
    """``* replace (x as y)`` becomes ``* except (y), x as y``."""
    made: list[exp.Expr] = []
    for each in select.expressions:
        star = each if isinstance(each, exp.Star) else each.this if isinstance(each, exp.Column) else None
        made.append(each)
        if isinstance(star, exp.Star) and (replaced := star.args.get("replace")):
            star.set("except_", [*(star.args.get("except_") or []), *(exp.column(alias.alias) for alias in replaced)])
            star.set("replace", None)
            made += replaced
    select.set("expressions", made)


def _unnest(select: exp.Select) -> None:
    """``select unnest(x) as a`` becomes a view beside the table, one row of which has an element of each list."""
    found = [node for each in select.expressions for node in each.find_all(exp.Explode, exp.Unnest)]
    if not found:
        return
    zipped = exp.Anonymous(this="arrays_zip", expressions=[node.this.copy() for node in found])
    for place, node in enumerate(found):
        node.replace(exp.column(f"u{place}", table="unnested"))
    names = [exp.to_identifier(f"u{place}") for place in range(len(found))]
    view = exp.Lateral(
        this=exp.Anonymous(this="inline", expressions=[zipped]),
        view=True,
        alias=exp.TableAlias(this=exp.to_identifier("unnested"), columns=names),
    )
    select.append("laterals", view)


def _line_up(union: exp.Union, columns: Columns) -> None:
    """Write the columns of both sides of a union by name in one order, null where a side has none."""
    if not union.args.get("by_name"):
        return
    left, right = _columns(union.left, columns), _columns(union.right, columns)
    every = [*left, *(name for name in right if name not in left)]
    union.set("by_name", None)
    for side, own in (("this", left), ("expression", right)):
        listed = [exp.column(name) if name in own else exp.alias_(exp.Null(), name) for name in every]
        inner = exp.Subquery(this=union.args[side].copy(), alias=exp.TableAlias(this=exp.to_identifier("side")))
        union.set(side, exp.Select(expressions=listed).from_(inner))


def _columns(query: exp.Expr, columns: Columns) -> list[str]:
    """Return the columns that a query gives, in order."""
    if isinstance(query, exp.Subquery | exp.Paren):
        return _columns(query.this, columns)
    if isinstance(query, exp.Union):
        left = _columns(query.left, columns)
        right = _columns(query.right, columns) if query.args.get("by_name") else []
        return [*left, *(name for name in right if name not in left)]
    found: list[str] = []
    for each in query.expressions:
        star = each if isinstance(each, exp.Star) else each.this if isinstance(each, exp.Column) else None
        if not isinstance(star, exp.Star):
            found.append(each.alias_or_name)
            continue
        left_out = {column.name for column in star.args.get("except_") or ()}
        owner = each.table if isinstance(each, exp.Column) else ""
        for source in _sources(query):
            if not owner or source.alias_or_name == owner:
                found += [name for name in _of_source(source, query, columns) if name not in left_out]
    return found


def _sources(select: exp.Expr) -> Iterator[exp.Expr]:
    yield select.args["from_"].this
    for join in select.args.get("joins") or ():
        if join.kind not in {"SEMI", "ANTI"}:
            yield join.this


def _of_source(source: exp.Expr, query: exp.Expr, columns: Columns) -> list[str]:
    if not isinstance(source, exp.Table):
        return _columns(source, columns)
    scope: exp.Expr | None = query
    while scope is not None:
        with_ = scope.args.get("with_") if isinstance(scope, exp.Query) else None
        for each in with_.expressions if with_ else ():
            if each.alias == source.name and not source.db:
                return _columns(each.this, columns)
        scope = scope.parent
    return columns(source.sql(dialect="spark"))
