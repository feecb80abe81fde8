/** How many ids share a block of each list that time cuts. */
export const blockSizes = { drinks: 1_024, sessions: 256, thermo_logs: 512, audit_entries: 256 } as const;

/** How many blocks share a row of `span_groups`. */
export const groupSize = 64;

/** The end of a block of drinks, or of a group, that is being filled: what is in it is looked at one by one. */
const unfinishedMs = Number.MAX_SAFE_INTEGER;

const lists = [
  { list: 'drinks', time: 'pour_time_ms', counts: 'is_valid' },
  { list: 'sessions', time: 'start_time_ms', counts: '1' },
  { list: 'thermo_logs', time: 'time_ms', counts: '1' },
  { list: 'audit_entries', time: 'time_ms', counts: '1' },
] as const;

/** Something of each block's rows beside what is stored of it. */
const blockChecks = (what: string, stored: string, computed: (list: (typeof lists)[number]) => string) =>
  lists
    .map((list) => {
      const size = blockSizes[list.list];
      return `SELECT '${what} of block ' || block || ' of ${list.list}' AS what, ${stored} AS stored,
        coalesce((SELECT ${computed(list)} FROM ${list.list}
          WHERE id BETWEEN block * ${size} AND block * ${size} + ${size - 1}), ${stored}) AS computed
        FROM spans WHERE list = '${list.list}' AND last_ms < ${unfinishedMs}`;
    })
    .join(' UNION ALL ');

/** Something of each group's blocks beside what is stored of it. */
const groupChecks = (what: string, stored: string, computed: string) => `
  SELECT '${what} of group ' || grp || ' of ' || list AS what, ${stored} AS stored,
    coalesce((SELECT ${computed} FROM spans s WHERE s.list = g.list
      AND s.block BETWEEN grp * ${groupSize} AND grp * ${groupSize} + ${groupSize - 1}), ${stored}) AS computed
    FROM span_groups g WHERE last_ms < ${unfinishedMs}`;

/** The rows that each block and group counts, stored and counted anew. */
export const spanCountChecks = `${blockChecks('rows', 'items', ({ counts }) => `total(${counts})`)}
  UNION ALL ${groupChecks('rows', 'items', 'total(s.items)')}`;

/** The times of each block and group, stored and looked up anew: they must reach all of its rows. */
export const spanBoundChecks = `${blockChecks('start', '-first_ms', ({ time }) => `-min(${time})`)}
  UNION ALL ${blockChecks('end', 'last_ms', ({ time }) => `max(${time})`)}
  UNION ALL ${groupChecks('start', '-first_ms', '-min(s.first_ms)')}
  UNION ALL ${groupChecks('end', 'last_ms', 'max(s.last_ms)')}`;
