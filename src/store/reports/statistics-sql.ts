/**
 * Views of the statistics: all drinks (a), of a user (u), a keg (k), a session (s); with the column of the
 * subject.
 */
export const views = { a: '0', u: 'd.user_id', k: 'd.keg_id', s: 'd.session_id' } as const;
export type ViewLetter = keyof typeof views;
export const viewLetters = Object.keys(views) as readonly ViewLetter[];

/** Pairs of view and part: `uk` are the kegs of a user. */
export const pairs = ['au', 'ak', 'as', 'uk', 'us', 'ku', 'ks', 'su', 'sk'] as const;
export type Pair = (typeof pairs)[number];

/** Number of ids in one row of `drink_sums`. */
export const sumBlock = 4_096;

/** Columns of the parts; drinks without a user count as user 0. */
const parts = { u: 'coalesce(d.user_id, 0)', k: 'd.keg_id', s: 'd.session_id' } as const;

/** Columns of subject and part of a pair. */
export const pairColumns = (pair: Pair) => ({
  subject: views[pair[0] as ViewLetter],
  part: parts[pair[1] as keyof typeof parts],
});

export const nanolitres = 'CAST(round(d.volume_ml * 1000000) AS INTEGER)';
export const year = `CAST(strftime('%Y', d.pour_time_ms / 1000, 'unixepoch') AS INTEGER)`;
/** 0 is Sunday; 1 January 1970 was a Thursday. */
export const weekday = '(x.local_day + 4) % 7';

const addToTotals = (view: ViewLetter) => `
  INSERT INTO drink_sums
    SELECT '${view}', subject, block, count(*), sum(nl),
      max(iif(place = 1, volume_ml, NULL)), max(iif(place = 1, id, NULL))
    FROM (
      SELECT d.id, d.volume_ml, ${views[view]} AS subject, d.id / ${sumBlock} AS block, ${nanolitres} AS nl,
        row_number() OVER (PARTITION BY ${views[view]}, d.id / ${sumBlock} ORDER BY d.volume_ml DESC, d.id) AS place
      FROM drinks d WHERE d.id BETWEEN @first AND @last AND d.is_valid AND ${views[view]} IS NOT NULL
    ) WHERE true GROUP BY subject, block
    ON CONFLICT (view, subject, block) DO UPDATE SET
      pours = pours + excluded.pours,
      volume_nl = volume_nl + excluded.volume_nl,
      greatest_id = iif((excluded.greatest_ml, -excluded.greatest_id) > (greatest_ml, -greatest_id),
        excluded.greatest_id, greatest_id),
      greatest_ml = max(greatest_ml, excluded.greatest_ml)`;

const addToCalendar = (view: ViewLetter, slot: string) => `
  INSERT INTO drink_calendar SELECT '${view}', ${views[view]}, ${slot}, sum(${nanolitres})
    FROM drinks d CROSS JOIN sessions x ON x.id = d.session_id
    WHERE d.id BETWEEN @first AND @last AND d.is_valid AND ${views[view]} IS NOT NULL GROUP BY 2, 3
    ON CONFLICT (view, subject, slot) DO UPDATE SET volume_nl = volume_nl + excluded.volume_nl`;

function addToShares(pair: Pair): string {
  const { subject, part } = pairColumns(pair);
  return `
  INSERT INTO drink_shares SELECT '${pair}', ${subject}, ${part}, count(*), sum(${nanolitres}), min(d.id), max(d.id)
    FROM drinks d WHERE d.id BETWEEN @first AND @last AND d.is_valid
      AND ${subject} IS NOT NULL AND ${part} IS NOT NULL GROUP BY 2, 3
    ON CONFLICT (pair, subject, part) DO UPDATE SET
      pours = pours + excluded.pours,
      volume_nl = volume_nl + excluded.volume_nl,
      first_id = min(first_id, excluded.first_id),
      last_id = max(last_id, excluded.last_id)`;
}

/** Adds the valid drinks with ids from `@first` to `@last` to the totals. */
export const addDrinks: readonly string[] = [
  ...viewLetters.flatMap((view) => [
    addToTotals(view),
    addToCalendar(view, year),
    addToCalendar(view, weekday),
  ]),
  ...pairs.map(addToShares),
];

/**
 * A changed drink `d` as it is in the totals; no row if it is not in them, because it was held or missing.
 */
const change = '(SELECT * FROM drink_changes WHERE drink_id = @id AND session_id IS NOT NULL) d';

function removeFromView(view: ViewLetter): readonly string[] {
  const { [view]: subject } = views;
  const row = `view = '${view}' AND subject = ${subject} AND block = @block`;
  const subtractVolume = `volume_nl = volume_nl - ${nanolitres}`;
  // The session's own row contains the weekday under which it was counted.
  const sessionSlot = `(SELECT slot FROM drink_calendar o WHERE o.view = 's' AND o.subject = d.session_id AND slot < 7)`;
  return [
    `UPDATE drink_sums SET pours = pours - 1, ${subtractVolume} FROM ${change} WHERE ${row}`,
    `DELETE FROM drink_sums WHERE view = '${view}' AND block = @block AND pours = 0
       AND subject = (SELECT ${subject} FROM ${change})`,
    `UPDATE drink_sums SET (greatest_ml, greatest_id) = (
         SELECT n.volume_ml, n.id FROM drinks n
         WHERE n.is_valid ${view === 'a' ? '' : `AND n.${subject.slice(2)} = drink_sums.subject`}
           AND n.id <= (SELECT drink_id FROM drink_sums_upto)
           AND n.id BETWEEN @block * ${sumBlock} AND @block * ${sumBlock} + ${sumBlock - 1}
         ORDER BY n.volume_ml DESC, n.id LIMIT 1)
       WHERE view = '${view}' AND block = @block AND greatest_id = @id
         AND subject = (SELECT ${subject} FROM ${change})`,
    `UPDATE drink_calendar SET ${subtractVolume} FROM ${change}
       WHERE view = '${view}' AND subject = ${subject} AND slot = ${year}`,
    `UPDATE drink_calendar SET ${subtractVolume} FROM ${change}
       WHERE view = '${view}' AND subject = ${subject} AND slot = ${sessionSlot}`,
  ];
}

/** The drinks of a pair by the more selective index: the unary plus keeps SQLite from using the other. */
function pairDrinks(pair: Pair): string {
  const own = { u: 'n.user_id IS nullif(drink_shares.part, 0)', k: 'n.keg_id = drink_shares.part', s: '' };
  switch (pair) {
    case 'au':
    case 'ak':
      return own[pair[1] as 'u' | 'k'];
    case 'as':
      return 'n.session_id = drink_shares.part';
    case 'uk':
      return 'n.keg_id = drink_shares.part AND +n.user_id = drink_shares.subject';
    case 'us':
      return 'n.session_id = drink_shares.part AND +n.user_id = drink_shares.subject';
    case 'ks':
      return 'n.session_id = drink_shares.part AND +n.keg_id = drink_shares.subject';
    case 'ku':
      return 'n.keg_id = drink_shares.subject AND +n.user_id IS nullif(drink_shares.part, 0)';
    case 'su':
      return 'n.session_id = drink_shares.subject AND +n.user_id IS nullif(drink_shares.part, 0)';
    case 'sk':
      return 'n.session_id = drink_shares.subject AND +n.keg_id = drink_shares.part';
  }
}

function removeFromPair(pair: Pair): readonly string[] {
  const { subject, part } = pairColumns(pair);
  const row = `pair = '${pair}' AND subject = (SELECT ${subject} FROM ${change}) AND part = (SELECT ${part} FROM ${change})`;
  const edge = (order: string) => `(SELECT n.id FROM drinks n WHERE ${pairDrinks(pair)} AND n.is_valid
    AND n.id <= (SELECT drink_id FROM drink_sums_upto) ORDER BY n.id ${order} LIMIT 1)`;
  return [
    `UPDATE drink_shares SET pours = pours - 1, volume_nl = volume_nl - ${nanolitres} FROM ${change}
       WHERE pair = '${pair}' AND subject = ${subject} AND part = ${part}`,
    `DELETE FROM drink_shares WHERE ${row} AND pours = 0`,
    `UPDATE drink_shares SET first_id = ${edge('ASC')} WHERE ${row} AND first_id = @id`,
    `UPDATE drink_shares SET last_id = ${edge('DESC')} WHERE ${row} AND last_id = @id`,
  ];
}

/**
 * Removes the changed drink `@id` of `@block` from the totals and finds the next largest, first and last
 * drink.
 */
export const removeDrink: readonly string[] = [
  ...viewLetters.flatMap(removeFromView),
  ...pairs.flatMap(removeFromPair),
  // Removes the calendar row of an empty session. Last, because the other statements read it.
  `DELETE FROM drink_calendar WHERE view = 's' AND subject = (SELECT session_id FROM drink_changes WHERE drink_id = @id)
     AND NOT EXISTS (SELECT 1 FROM drink_sums o WHERE o.view = 's' AND o.subject = drink_calendar.subject)`,
];

/** Moves the session `@id` from the weekday `@from` to `@to` in all totals. */
export const moveSession: readonly string[] = [
  ...(['@from', '@to'] as const).flatMap((slot) => {
    const nl = slot === '@from' ? '-volume_nl' : 'volume_nl';
    const move = (view: ViewLetter, of: string) => `
    INSERT INTO drink_calendar SELECT '${view}', subject, ${slot}, sum(nl) FROM (${of}) WHERE true GROUP BY subject
    ON CONFLICT (view, subject, slot) DO UPDATE SET volume_nl = volume_nl + excluded.volume_nl`;
    return [
      move('a', `SELECT 0 AS subject, ${nl} AS nl FROM drink_sums WHERE view = 's' AND subject = @id`),
      move(
        'u',
        `SELECT part AS subject, ${nl} AS nl FROM drink_shares
        WHERE pair = 'su' AND subject = @id AND part > 0`,
      ),
      move('k', `SELECT part AS subject, ${nl} AS nl FROM drink_shares WHERE pair = 'sk' AND subject = @id`),
    ];
  }),
  `UPDATE drink_calendar SET slot = @to WHERE view = 's' AND subject = @id AND slot = @from`,
];
