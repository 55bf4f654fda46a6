-- Differences between two configurations: every condition that is known on both sides and differs, with its effect.
select column_name, a_value, b_value, role, effect, a_configuration_id, b_configuration_id
from differences
inner join (
    select distinct pair_id, a_configuration_id, b_configuration_id from pairs
) using (pair_id)
where list_sort([a_configuration_id, b_configuration_id]) = ['dl380-hba-samsung-860-pro', 'g8-samsung-860-pro']
order by effect desc, column_name
