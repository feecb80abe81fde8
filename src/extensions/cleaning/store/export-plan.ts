import type { ExportPlan } from '../../../store/shared/export-plan.ts';

/** The log, corrected entries too: `is_current` is false for them. */
export const cleaningExport: ExportPlan = {
  kind: 'cleanings',
  table: 'cleaning_entries',
  time: 'x.started_time_ms',
  columns: `x.id, x.time_ms AS time, x.cleaning_id, x.corrects_id,
    NOT EXISTS (SELECT 1 FROM cleaning_entries later WHERE later.corrects_id = x.id) AS is_current,
    u.username AS written_by, x.tap_name AS tap, x.beverage, x.kind, x.started_time_ms AS started_time,
    x.ended_time_ms AS end_time, x.cleaned_by, x.checked_by, x.agent, x.concentration_percent, x.temp_c, x.contact_minutes,
    x.method, x.rinse_ph, x.result, x.note, x.is_withdrawn, s.volume_ml AS beer_lost_ml`,
  joins: `LEFT JOIN users u ON u.id = x.user_id LEFT JOIN cleaning_losses l ON l.cleaning_id = x.cleaning_id
    LEFT JOIN spills s ON s.id = l.spill_id`,
};
