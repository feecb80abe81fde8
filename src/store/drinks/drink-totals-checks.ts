import { nanolitres, pourYear, type TotalKind } from './drink-totals-table.ts';

/** SQL of the rows that a kind must have in `drink_totals`, computed from the drinks. */
function computeKind(kind: TotalKind, subject: string, { hasLargest }: { hasLargest: string }): string {
  const table = kind === 'keg' ? 'keg_drinks' : 'drinks';
  return `
    SELECT '${kind}' AS kind, subject, count(*) AS pours, sum(nl) AS volume_nl, min(id) AS first_id, max(id) AS last_id,
      max(iif(place = 1 AND ${hasLargest}, id, NULL)) AS largest_id,
      max(iif(place = 1 AND ${hasLargest}, volume_ml, NULL)) AS largest_ml
    FROM (
      SELECT d.id, d.volume_ml, ${subject} AS subject, ${nanolitres} AS nl,
        row_number() OVER (PARTITION BY ${subject} ORDER BY d.volume_ml DESC, d.id) AS place
      FROM ${table} d WHERE d.is_valid = 1 AND ${subject} IS NOT NULL
    ) GROUP BY subject`;
}

/** SQL of all rows of `drink_totals`, computed from the drinks; a benchmark fills the table with it. */
export const computedDrinkTotals = [
  computeKind('site', '0', { hasLargest: '1' }),
  computeKind('user', 'coalesce(d.user_id, 0)', { hasLargest: 'subject > 0' }),
  computeKind('keg', 'd.keg_id', { hasLargest: '1' }),
  computeKind('session', 'd.session_id', { hasLargest: '1' }),
  computeKind('tap', 'd.tap_id', { hasLargest: '0' }),
].join(' UNION ALL ');

/** SQL of all rows of `drink_days`, computed from the drinks. */
export const computedDrinkDays = `
  SELECT x.local_day, ${pourYear} AS year, count(*) AS pours, sum(${nanolitres}) AS volume_nl
  FROM drinks d JOIN sessions x ON x.id = d.session_id WHERE d.is_valid = 1 GROUP BY 1, 2`;

/** SQL of all rows of `keg_sessions`, computed from the drinks. */
export const computedKegSessions =
  'SELECT DISTINCT keg_id, session_id FROM keg_drinks WHERE keg_id IS NOT NULL AND session_id IS NOT NULL';

/** SQL that compares every value of the stored rows with the one of the computed rows. */
function compared(
  what: string,
  {
    key,
    values,
    stored,
    computed,
  }: { key: string; values: readonly string[]; stored: string; computed: string },
): string {
  const columns = ['key', 'is_stored', ...values].join(', ');
  const compareValue = (value: string) => `
    SELECT '${what} ' || key || ', ${value}' AS what, total(${value}) FILTER (WHERE is_stored) AS stored,
      total(${value}) FILTER (WHERE NOT is_stored) AS computed FROM both GROUP BY key`;
  return `SELECT * FROM (
    WITH both (${columns}) AS MATERIALIZED (
      SELECT ${key}, 1, ${values.join(', ')} FROM ${stored}
      UNION ALL SELECT ${key}, 0, ${values.join(', ')} FROM (${computed}))
    ${values.map(compareValue).join(' UNION ALL ')})`;
}

/** Every stored total of drinks and the same one computed from the drinks. */
export const drinkTotalChecks = [
  compared('drinks of', {
    key: `kind || ' ' || subject`,
    values: ['pours', 'volume_nl', 'first_id', 'last_id', 'largest_id', 'largest_ml'],
    stored: 'drink_totals',
    computed: computedDrinkTotals,
  }),
  compared('drinks of day', {
    key: `local_day || '/' || year`,
    values: ['pours', 'volume_nl'],
    stored: 'drink_days',
    computed: computedDrinkDays,
  }),
  compared('session of keg', {
    key: `keg_id || '/' || session_id`,
    values: ['sessions'],
    stored: '(SELECT *, 1 AS sessions FROM keg_sessions)',
    computed: `SELECT *, 1 AS sessions FROM (${computedKegSessions})`,
  }),
].join(' UNION ALL ');
