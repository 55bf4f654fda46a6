{#
    Rows of unit tests as dbt's own macros of these names give them, but each column is cast once, from text, not once per
    row, and no macro is called per value: ninety unit tests take half the time.
#}
{% macro get_fixture_sql(rows, column_name_to_data_types) %}
    {%- set columns = adapter.get_columns_in_relation(this) -%}
    {%- if not columns -%}
        {{ exceptions.raise_compiler_error("there is no relation " ~ this ~ " that a unit test could take columns from") }}
    {%- endif -%}
    {{ select_values(rows, columns, columns | map(attribute="name") | list, "the input '" ~ model.name ~ "'") }}
{% endmacro %}

{% macro get_expected_sql(rows, column_name_to_data_types, column_name_to_quoted) %}
    {%- for row in rows if row | list | sort != rows[0] | list | sort -%}
        {{ exceptions.raise_compiler_error("a row that is expected has not the columns of the first: " ~ row) }}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for name, data_type in column_name_to_data_types.items() -%}
        {%- do columns.append({"name": name, "data_type": data_type, "quoted": column_name_to_quoted[name]}) -%}
    {%- endfor -%}
    {{ select_values(rows, columns, rows[0].keys() | list if rows else column_name_to_quoted.keys() | list, "what is expected") }}
{% endmacro %}

{% macro select_values(rows, columns, wanted, place) %}
    {%- set stated = rows | map("list") | sum(start=[]) | unique | list -%}
    {%- set unknown = stated | reject("in", columns | map(attribute="name") | list) | list -%}
    {%- if unknown -%}
        {{ exceptions.raise_compiler_error("Invalid column name in " ~ place ~ ": " ~ unknown | join(", ")) }}
    {%- endif -%}
    select
    {%- for column in columns if column.name in wanted %}
        cast({{ "given." ~ column.quoted if column.name in stated else "null" }} as {{ column.data_type }}) as {{ column.quoted }}
        {{- "," if not loop.last }}
    {%- endfor %}
    from (
        values
        {%- for row in rows or [{}] %}
        (
            {%- for name in stated or ["nothing"] -%}
                {%- set value = row.get(name) -%}
                {%- set is_list = value is sequence and value is not string -%}
                {{- "null" if value is none else value if is_list else "'" ~ value | string | replace("'", "''") ~ "'" -}}
                {{- ", " if not loop.last -}}
            {%- endfor -%}
        ){{ "," if not loop.last }}
        {%- endfor %}
    ) as given ({% for name in stated or ["nothing"] %}{{ adapter.quote(name) }}{{ ", " if not loop.last }}{% endfor %})
    {{- " limit 0" if not rows }}
{% endmacro %}
