import { isLaterCounter, type KeptCounter } from '../../core/pours/counter-position.ts';
import type { Database } from '../database.ts';

interface Row {
  meter: string;
  total: number;
  serial_number: string | null;
  board_start_mono_ms: number | null;
  boot_id: string;
  mono_ms: number;
  wall_ms: number;
  time_certain: number;
}

/** The last total of each meter of a serial board up to which ticks are counted. */
export function boardCountersTable(db: Database) {
  const all = db.prepare<[], Row>('SELECT * FROM board_counters');
  const byMeter = db.prepare<[string], Row>('SELECT * FROM board_counters WHERE meter = ?');
  const save = db.prepare<Row>(
    `INSERT OR REPLACE INTO board_counters VALUES
       (@meter, @total, @serial_number, @board_start_mono_ms, @boot_id, @mono_ms, @wall_ms, @time_certain)`,
  );
  const removeAll = db.prepare('DELETE FROM board_counters');
  return {
    removeAll: (): void => void removeAll.run(),
    all: (): readonly KeptCounter[] => all.all().map(toKeptCounter),
    /** Saves a position unless a later one is stored; `bootId` is the present boot. */
    advance(counter: KeptCounter, bootId: string): void {
      const row = byMeter.get(counter.meter);
      if (row !== undefined && !isLaterCounter(counter, toKeptCounter(row), bootId)) return;
      save.run(toRow(counter));
    },
  };
}

function toRow({ meter, position, atWallMs, isTimeCertain }: KeptCounter): Row {
  return {
    meter,
    total: position.total,
    serial_number: position.serialNumber,
    board_start_mono_ms: position.boardStartMonoMs,
    boot_id: position.bootId,
    mono_ms: position.atMonoMs,
    wall_ms: atWallMs,
    time_certain: Number(isTimeCertain),
  };
}

function toKeptCounter(row: Row): KeptCounter {
  return {
    meter: row.meter,
    position: {
      total: row.total,
      serialNumber: row.serial_number,
      boardStartMonoMs: row.board_start_mono_ms,
      bootId: row.boot_id,
      atMonoMs: row.mono_ms,
    },
    atWallMs: row.wall_ms,
    isTimeCertain: row.time_certain === 1,
  };
}
