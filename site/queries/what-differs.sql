-- What differs between two configurations: every column that differs or is unknown, and what that means to a comparison.
select column_name, a_value, b_value, state, role, effect, reason
from configuration_differences
where a_configuration_id = 'cmp-p3700' and b_configuration_id = 'cmp-hdd'
order by case effect when 'X' then 1 when 'C' then 2 when 'B' then 3 else 4 end, state, column_name
