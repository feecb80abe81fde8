/**
 * Whether `a` is not after `b` by the monotonic clock of a boot; to a millisecond, since times are rounded. Instants of two boots
 * count as in order: a wall clock may have been wrong at either, and is corrected later.
 */
const notAfter = (a: { boot: string; mono: string }, b: { boot: string; mono: string }): string =>
  `iif(${a.boot} <> '' AND ${a.boot} = ${b.boot}, ${a.mono} <= ${b.mono} + 1, 1)`;

const flowEnd = { boot: 'd.boot_id', mono: 'd.end_mono_ms' };
const flowStart = { boot: 'd.boot_id', mono: '(d.end_mono_ms - d.duration_ms)' };
const spanStart = { boot: 's.start_boot', mono: 's.start_mono_ms' };
const spanEnd = { boot: 's.end_boot', mono: 's.end_mono_ms' };

/** Whether the kegs of each drink were ever on its tap, and within a boot while it flowed, but for those that staff chose. */
export const kegChecks = `
  SELECT 'on the tap of drink ' || d.id || ' while it flowed: keg ' || k.keg_id AS what, 0 AS stored, 1 AS computed
  FROM keg_drinks k JOIN drinks d ON d.id = k.id
  WHERE k.keg_id IS NOT NULL AND d.is_valid = 1 AND d.keg_assigned = 0 AND d.tap_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM keg_spans s WHERE s.keg_id = k.keg_id AND s.tap_id = d.tap_id
      AND ${notAfter(spanStart, flowEnd)} AND (s.end_ms IS NULL OR ${notAfter(flowStart, spanEnd)}))`;
