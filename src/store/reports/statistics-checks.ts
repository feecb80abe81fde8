import {
  nanolitres,
  pairColumns,
  pairs,
  sumBlock,
  viewLetters,
  views,
  weekday,
  year,
} from './statistics-sql.ts';

/** SQL condition for drinks that must be in the totals. */
const countedDrinks = 'd.is_valid AND d.id <= (SELECT drink_id FROM drink_sums_upto)';

/** While changed drinks are pending the totals cannot be checked. */
const noPendingChanges =
  'NOT EXISTS (SELECT 1 FROM drink_changes) AND NOT EXISTS (SELECT 1 FROM session_changes)';

/** SQL that compares the stored value of each key with the one computed from the drinks. */
const compared = (what: string, stored: string, computed: readonly string[]) => `
  SELECT '${what} ' || key AS what, sum(stored) AS stored, sum(computed) AS computed FROM (
    ${stored} UNION ALL ${computed.join(' UNION ALL ')}
  ) WHERE ${noPendingChanges} GROUP BY key`;

const totalChecks = (what: string, stored: string, computed: string) =>
  compared(
    `${what} in`,
    `SELECT view || subject || '/' || block AS key, ${stored} AS stored, 0 AS computed FROM drink_sums`,
    viewLetters.map(
      (
        view,
      ) => `SELECT '${view}' || ${views[view]} || '/' || (d.id / ${sumBlock}), 0, ${computed} FROM drinks d
        WHERE ${countedDrinks} AND ${views[view]} IS NOT NULL GROUP BY 1`,
    ),
  );

const calendarChecks = compared(
  'nanolitres by calendar in',
  `SELECT view || subject || '/' || slot AS key, volume_nl AS stored, 0 AS computed FROM drink_calendar`,
  viewLetters.flatMap((view) =>
    [year, weekday].map(
      (slot) => `SELECT '${view}' || ${views[view]} || '/' || (${slot}), 0, sum(${nanolitres})
        FROM drinks d CROSS JOIN sessions x ON x.id = d.session_id
        WHERE ${countedDrinks} AND ${views[view]} IS NOT NULL GROUP BY 1`,
    ),
  ),
);

const shareChecks = (what: string, stored: string, computed: string) =>
  compared(
    `${what} in`,
    `SELECT pair || subject || '/' || part AS key, ${stored} AS stored, 0 AS computed FROM drink_shares`,
    pairs.map((pair) => {
      const { subject, part } = pairColumns(pair);
      return `SELECT '${pair}' || ${subject} || '/' || ${part}, 0, ${computed} FROM drinks d
        WHERE ${countedDrinks} AND ${subject} IS NOT NULL AND ${part} IS NOT NULL GROUP BY 1`;
    }),
  );

/** Checks that no drink is larger than the stored greatest one, and that no earlier one is equal. */
const greatestChecks = `
  SELECT 'larger drinks than the greatest in ' || view || subject || '/' || block AS what, 0 AS stored, (
    SELECT count(*) FROM drinks d WHERE ${countedDrinks}
      AND d.id BETWEEN s.block * ${sumBlock} AND s.block * ${sumBlock} + ${sumBlock - 1}
      AND CASE s.view WHEN 'a' THEN 1 WHEN 'u' THEN d.user_id = s.subject
        WHEN 'k' THEN d.keg_id = s.subject ELSE d.session_id = s.subject END
      AND (d.volume_ml, -d.id) > (s.greatest_ml, -s.greatest_id)) AS computed
  FROM drink_sums s WHERE view = 'a' AND ${noPendingChanges}`;

/** Every stored total of the statistics and the same total computed from the drinks. */
export const statisticsChecks = [
  totalChecks('drinks', 'pours', 'count(*)'),
  totalChecks('nanolitres', 'volume_nl', `sum(${nanolitres})`),
  totalChecks('greatest', 'greatest_ml', 'max(d.volume_ml)'),
  calendarChecks,
  shareChecks('drinks', 'pours', 'count(*)'),
  shareChecks('nanolitres', 'volume_nl', `sum(${nanolitres})`),
  shareChecks('first', 'first_id', 'min(d.id)'),
  shareChecks('last', 'last_id', 'max(d.id)'),
  greatestChecks,
].join(' UNION ALL ');
