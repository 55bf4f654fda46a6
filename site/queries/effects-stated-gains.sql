-- Stated gains: gains that a publication prints in percent, as ratios.
select
    gains.submission_id, gains.figure_id, gains.b_configuration_id as configuration_id, gains.device,
    gains.b_load_profile as load_profile, gains.section, gains.b_text as printed_text, gains.effect_ratio as gain_ratio,
    figures.wording_note,
    'source?file=raw/' || gains.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
from effects as gains
inner join figures using (submission_id, figure_id)
inner join files using (file_id)
where figures.is_canonical
order by gains.submission_id, gains.figure_id
