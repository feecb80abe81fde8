/** Serial boards: the totals up to which their ticks are counted. */
export const controllersSchema = `
-- The running total of a serial board's meter up to which every tick is counted. It is written in the transaction that
-- counts them; after a restart the board's total shows what it counted meanwhile.
CREATE TABLE board_counters (
  -- The full name, since a meter may count before it is registered.
  meter TEXT PRIMARY KEY CHECK (length(meter) <= 257),
  total INTEGER NOT NULL CHECK (total BETWEEN 0 AND 4294967295),
  serial_number TEXT CHECK (length(serial_number) <= 128),
  -- Both on the monotonic clock of the boot: when the board started, if it reports its uptime, and the last tick.
  board_start_mono_ms REAL,
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  mono_ms REAL NOT NULL,
  wall_ms INTEGER NOT NULL CHECK (wall_ms >= 0),
  time_certain INTEGER NOT NULL CHECK (time_certain IN (0, 1))
) STRICT, WITHOUT ROWID;
`;
