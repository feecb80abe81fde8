import type { PinEntry, PinMeter } from '../../core/taps/pin-entries.ts';
import type { Database } from '../database.ts';

interface Row {
  kind: PinEntry['kind'];
  port: string;
  pin: number;
  model: string | null;
  ticks_per_ml: number | null;
  min_gap_ms: number | null;
  bias: PinMeter['bias'] | null;
  edge: PinMeter['edge'] | null;
  active_low: number | null;
  machine: string | null;
}

/** A change of one entry that can be undone; both are JSON. */
export interface PinEntryChange {
  /** Id of its audit entry. */
  readonly id: number;
  readonly before: string;
  readonly after: string;
  /** Id of the audit entry that undid it. */
  readonly undoneBy: number | null;
}

/** Meters and relays on pins of this machine that were chosen on the page, in the order they were added. */
export function pinEntriesTable(db: Database) {
  const all = db.prepare<[], Row>('SELECT * FROM pin_entries ORDER BY id');
  const save = db.prepare<Row>(
    `INSERT INTO pin_entries (kind, port, pin, model, ticks_per_ml, min_gap_ms, bias, edge, active_low, machine)
     VALUES (@kind, @port, @pin, @model, @ticks_per_ml, @min_gap_ms, @bias, @edge, @active_low, @machine)
     ON CONFLICT (port) DO UPDATE SET kind = excluded.kind, pin = excluded.pin, model = excluded.model,
       ticks_per_ml = excluded.ticks_per_ml, min_gap_ms = excluded.min_gap_ms, bias = excluded.bias,
       edge = excluded.edge, active_low = excluded.active_low, machine = excluded.machine`,
  );
  const remove = db.prepare<[string]>('DELETE FROM pin_entries WHERE port = ?');
  const addChange = db.prepare<{ id: number; before: string; after: string }>(
    'INSERT INTO pin_entry_changes (id, before, after) VALUES (@id, @before, @after)',
  );
  const removeOlder = db.prepare<[number]>(
    'DELETE FROM pin_entry_changes WHERE id < ? AND undone_by IS NULL',
  );
  const newest = db.prepare<[], PinEntryChange>(
    'SELECT id, before, after, undone_by AS undoneBy FROM pin_entry_changes ORDER BY id DESC LIMIT 1',
  );
  const removeChanges = db.prepare<[]>('DELETE FROM pin_entry_changes WHERE undone_by IS NULL');
  const setUndone = db.prepare<[number, number]>('UPDATE pin_entry_changes SET undone_by = ? WHERE id = ?');
  return {
    all: (): readonly PinEntry[] => all.all().map(toEntry),
    /** Adds the entry, or replaces the one with its port. */
    save: (entry: PinEntry): void => void save.run(toRow(entry)),
    remove: (port: string): void => void remove.run(port),
    /** Adds the newest change; those before it can no longer be undone. */
    addChange(change: { id: number; before: string; after: string }): void {
      addChange.run(change);
      removeOlder.run(change.id);
    },
    newestChange: (): PinEntryChange | null => newest.get() ?? null,
    /** Afterwards nothing can be undone. */
    removeChanges: (): void => void removeChanges.run(),
    setUndone: (id: number, by: number): void => void setUndone.run(by, id),
  };
}

const noValues = {
  model: null,
  ticks_per_ml: null,
  min_gap_ms: null,
  bias: null,
  edge: null,
  active_low: null,
  machine: null,
};

function toRow(entry: PinEntry): Row {
  const { kind, port, pin } = entry;
  if (entry.kind === 'relay') {
    const { activeLow, machine } = entry;
    return { ...noValues, kind, port, pin, active_low: Number(activeLow), machine };
  }
  const { model, ticksPerMl, minGapMs, bias, edge } = entry;
  return {
    ...noValues,
    kind,
    port,
    pin,
    model,
    ticks_per_ml: ticksPerMl,
    min_gap_ms: minGapMs,
    bias,
    edge,
  };
}

/** The table's checks guarantee the values of each kind. */
function toEntry(row: Row): PinEntry {
  const { kind, port, pin } = row;
  if (kind === 'relay') return { kind, port, pin, activeLow: row.active_low === 1, machine: row.machine };
  return {
    kind,
    port,
    pin,
    model: row.model,
    ticksPerMl: row.ticks_per_ml,
    minGapMs: row.min_gap_ms,
    bias: row.bias!,
    edge: row.edge!,
  };
}
