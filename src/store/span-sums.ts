/** How many ids share a block of each list that time cuts. */
export const blockSizes = { drinks: 1_024, sessions: 256, thermo_logs: 4_096 } as const;

/** The end of a block of drinks that is being filled: its rows are looked at one by one. */
const stillFilling = Number.MAX_SAFE_INTEGER;

const lists = [
  { list: 'drinks', time: 'pour_time_ms', counts: 'is_valid' },
  { list: 'sessions', time: 'start_time_ms', counts: '1' },
  { list: 'thermo_logs', time: 'time_ms', counts: '1' },
] as const;

/** Something of each block's rows beside what is kept of it. */
const ofBlocks = (what: string, kept: string, summed: (list: (typeof lists)[number]) => string) =>
  lists
    .map((list) => {
      const size = blockSizes[list.list];
      return `SELECT '${what} of block ' || block || ' of ${list.list}' AS what, ${kept} AS kept,
        coalesce((SELECT ${summed(list)} FROM ${list.list}
          WHERE id BETWEEN block * ${size} AND block * ${size} + ${size - 1}), ${kept}) AS summed
        FROM spans WHERE list = '${list.list}' AND last_ms < ${stillFilling}`;
    })
    .join(' UNION ALL ');

/** The rows that each block counts, kept and counted anew. */
export const spanSums = ofBlocks('rows', 'items', ({ counts }) => `total(${counts})`);

/** The times of each block, kept and looked up anew: they must reach all of its rows. */
export const spanBounds = `${ofBlocks('start', '-first_ms', ({ time }) => `-min(${time})`)}
  UNION ALL ${ofBlocks('end', 'last_ms', ({ time }) => `max(${time})`)}`;
