/** Number of ids in a block, for each list that is filtered by time. */
export const blockSizes = { drinks: 1_024, sessions: 256, thermo_logs: 512, audit_entries: 256 } as const;

/** Number of blocks in one row of `span_groups`. */
export const groupSize = 64;

/** End time of a block of drinks, or of a group, that is not full yet: its rows are counted one by one. */
const unfinishedMs = Number.MAX_SAFE_INTEGER;

const lists = [
  { list: 'drinks', time: 'pour_time_ms', counts: 'is_valid' },
  { list: 'sessions', time: 'start_time_ms', counts: '1' },
  { list: 'thermo_logs', time: 'time_ms', counts: '1' },
  { list: 'audit_entries', time: 'time_ms', counts: '1' },
] as const;

/** SQL that compares a stored value of each block with the one computed from its rows. */
const blockChecks = (what: string, stored: string, computed: (list: (typeof lists)[number]) => string) =>
  lists
    .map((list) => {
      const size = blockSizes[list.list];
      return `SELECT '${what} of block ' || block || ' of ${list.list}' AS what, ${stored} AS stored,
        coalesce((SELECT ${computed(list)} FROM ${list.list}
          WHERE id BETWEEN block * ${size} AND block * ${size} + ${size - 1}), ${stored}) AS computed
        FROM span_blocks WHERE list = '${list.list}' AND last_ms < ${unfinishedMs}`;
    })
    .join(' UNION ALL ');

/** SQL that compares a stored value of each group with the one computed from its blocks. */
const groupChecks = (what: string, stored: string, computed: string) => `
  SELECT '${what} of group ' || grp || ' of ' || list AS what, ${stored} AS stored,
    coalesce((SELECT ${computed} FROM span_blocks s WHERE s.list = g.list
      AND s.block BETWEEN grp * ${groupSize} AND grp * ${groupSize} + ${groupSize - 1}), ${stored}) AS computed
    FROM span_groups g WHERE last_ms < ${unfinishedMs}`;

/** Number of rows of each block and group, stored and computed. */
export const spanCountChecks = `${blockChecks('rows', 'items', ({ counts }) => `total(${counts})`)}
  UNION ALL ${groupChecks('rows', 'items', 'total(s.items)')}`;

/** Time bounds of each block and group, stored and computed; the stored ones must contain all rows. */
export const spanBoundChecks = `${blockChecks('start', '-first_ms', ({ time }) => `-min(${time})`)}
  UNION ALL ${blockChecks('end', 'last_ms', ({ time }) => `max(${time})`)}
  UNION ALL ${groupChecks('start', '-first_ms', '-min(s.first_ms)')}
  UNION ALL ${groupChecks('end', 'last_ms', 'max(s.last_ms)')}`;
