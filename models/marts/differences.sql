with final as (

    select
        conditions.pair_id,
        conditions.column_name,
        min(conditions.a_value) as a_value,
        min(conditions.b_value) as b_value,
        min(roles.role) as role,
        if(max(conditions.effect) = 'X', 'excludes', 'caveat') as effect
    from {{ ref('int_pair_conditions') }} as conditions
    left join {{ ref('known_roles') }} as roles
        on split_part(conditions.column_name, ' ', 1) = concat(roles.table_name, '.', roles.column_name)
    where conditions.state = 'differs'
    group by conditions.pair_id, conditions.column_name

)

select * from final
