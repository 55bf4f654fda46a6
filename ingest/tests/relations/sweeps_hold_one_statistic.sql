-- No number of a sweep is a median over means, medians and single readings together: of two statistics that a
-- publication prints for one load and one quantity, one is marked as not canonical.
{% set printed = {
    'operations': "operations_origin = 'measured'",
    'throughput': "throughput_origin = 'measured'",
    'latency': 'latency_mean_seconds is not null',
} %}

select
    submission_id,
    configuration_id,
    section,
    workload_id,
    load_basis,
    queue_depth,
    string_agg(distinct statistic, ', ') as statistic_names
from {{ ref('repetitions') }}
where is_comparable and statistic in ('point', 'plateau', 'mean', 'median') and queue_depth is not null
group by submission_id, configuration_id, section, workload_id, load_basis, queue_depth
having
    {% for is_printed in printed.values() %}
        {{ 'or ' if not loop.first }}count(
            distinct case when {{ is_printed }} then replace(statistic, 'plateau', 'point') end
        ) > 1
    {% endfor %}
