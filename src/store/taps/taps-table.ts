import { fieldDefaults } from '../../core/records/fields.ts';
import { type NewTap, type TapFields, tapFields } from '../../core/taps/tap-record.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';
import { type RawRow, recordColumns, recordTable } from '../shared/record-table.ts';

/** A row of a tap; the engine looks up what is attached to it. */
export interface TapRecord extends TapFields {
  readonly id: number;
  /** The first one of the kegs connected to it; that is the one that is poured from. */
  readonly kegId: number | null;
  /** The kegs that follow it, in the order in which they empty. */
  readonly kegIdsBehind: readonly number[];
  readonly thermoSensorId: number | null;
  /** Planned next: an available keg, or a beverage whose keg has not arrived; at most one of them is set. */
  readonly nextKegId: number | null;
  readonly nextBeverageId: number | null;
}

/** A tap as last declared in the configuration file. */
interface DeclaredTap {
  readonly key: string;
  /** Null after the tap was deleted on a page; it is not created again. */
  readonly tapId: number | null;
  readonly name: string;
  readonly togglePort: string | null;
  readonly thermoSensor: string | null;
}

/** A keg at a tap; the keg of a tap with the lowest position is the one that is poured from. */
export interface TapKeg {
  readonly tapId: number;
  readonly position: number;
}

/** What is known of the line between keg and tap. */
export type TapLine = Pick<TapFields, 'lineVolumeMl' | 'lineToMeterMl' | 'hasFob'>;

interface DeclaredRow {
  key: string;
  tap_id: number | null;
  name: string;
  toggle_port: string | null;
  thermo_sensor: string | null;
}

/** The columns after the declared ones. */
type TapReferences = [sensor: number | null, keg: number | null, beverage: number | null, kegIds: string];

const tap = recordColumns(tapFields, 't', { number: 'coalesce(t.number, 0)' });
const select = `SELECT ${tap.sql}, t.thermo_sensor_id, t.next_keg_id, t.next_beverage_id, (
    SELECT json_group_array(keg_id) FROM (SELECT keg_id FROM tap_kegs WHERE tap_id = t.id ORDER BY position)
  ) FROM taps t`;

/** Taps, and their declarations in the configuration file. */
export function tapsTable(db: Database, caches: Caches) {
  const table = recordTable(db, 'taps', tapFields);
  const all = db.prepare<[], RawRow>(`${select} WHERE t.is_deleted = 0 ORDER BY t.sort_order, t.id`).raw();
  const byId = db.prepare<[number], RawRow>(`${select} WHERE t.id = ? AND t.is_deleted = 0`).raw();
  // Every pour needs its tap's keg, and kegs change rarely.
  const cachedTaps = caches.untilChange(() => new Map<number, TapRecord>());
  const byKeg = db
    .prepare<[number], RawRow>(`${select} WHERE t.id = (SELECT min(tap_id) FROM tap_kegs WHERE keg_id = ?)`)
    .raw();
  const clearNumbers = db.prepare('UPDATE taps SET number = NULL');
  const anyName = db.prepare<[number], string>('SELECT name FROM taps WHERE id = ?').pluck();
  const remove = db.prepare<[number]>(
    `UPDATE taps SET is_deleted = 1, number = NULL, thermo_sensor_id = NULL, next_keg_id = NULL,
       next_beverage_id = NULL
     WHERE id = ?`,
  );
  const restore = db.prepare<[number]>('UPDATE taps SET is_deleted = 0 WHERE id = ?');
  const ofKeg = db.prepare<[number], { tap_id: number; position: number }>(
    'SELECT tap_id, position FROM tap_kegs WHERE keg_id = ? ORDER BY tap_id',
  );
  const lastPosition = db
    .prepare<[number], number | null>('SELECT max(position) FROM tap_kegs WHERE tap_id = ?')
    .pluck();
  const addKeg = db.prepare<{ tapId: number; position: number; kegId: number }>(
    'INSERT INTO tap_kegs (tap_id, position, keg_id) VALUES (@tapId, @position, @kegId)',
  );
  const removeKeg = db.prepare<{ tapId: number; kegId: number }>(
    'DELETE FROM tap_kegs WHERE keg_id = @kegId AND tap_id = @tapId',
  );
  const removeKegEverywhere = db.prepare<[number]>('DELETE FROM tap_kegs WHERE keg_id = ?');
  const setSensor = db.prepare<{ id: number; sensorId: number | null }>(
    'UPDATE taps SET thermo_sensor_id = @sensorId WHERE id = @id',
  );
  const setNext = db.prepare<{ id: number; kegId: number | null; beverageId: number | null }>(
    'UPDATE taps SET next_keg_id = @kegId, next_beverage_id = @beverageId WHERE id = @id',
  );
  const clearNextKeg = db.prepare<[number]>('UPDATE taps SET next_keg_id = NULL WHERE next_keg_id = ?');
  const declared = db.prepare<[string], DeclaredRow>(
    `SELECT d.key, t.id AS tap_id, d.name, d.toggle_port, d.thermo_sensor FROM declared_taps d
     LEFT JOIN taps t ON t.id = d.tap_id AND t.is_deleted = 0 WHERE d.key = ?`,
  );
  const declare = db.prepare<DeclaredTap>(
    `INSERT INTO declared_taps (key, tap_id, name, toggle_port, thermo_sensor)
     VALUES (@key, @tapId, @name, @togglePort, @thermoSensor)
     ON CONFLICT (key) DO UPDATE SET tap_id = excluded.tap_id, name = excluded.name,
       toggle_port = excluded.toggle_port, thermo_sensor = excluded.thermo_sensor`,
  );
  return {
    all: (): readonly TapRecord[] => all.all().map((row) => toTap(row)!),
    byId(id: number): TapRecord | null {
      const taps = cachedTaps();
      const tap = taps.get(id) ?? toTap(byId.get(id));
      if (tap !== null) taps.set(id, tap);
      return tap;
    },
    /** The first tap that the keg is connected to. */
    byKeg: (kegId: number): TapRecord | null => toTap(byKeg.get(kegId)),
    /** The name of a tap, also of a deleted one; null for an unknown id. */
    anyName: (id: number): string | null => anyName.get(id) ?? null,
    add: (one: NewTap): number => table.add({ ...fieldDefaults(tapFields), ...one }),
    change: table.change,
    /** Sets place and number of all taps at once, so that two can swap their numbers. */
    setOrder(taps: readonly { id: number; sortOrder: number; number: number }[]): void {
      clearNumbers.run();
      for (const { id, sortOrder, number } of taps) table.change(id, { sortOrder, number });
    },
    /**
     * Takes sensor, number and announcements off it; its drinks, spills and prices stay with it. The caller takes off
     * meter and toggle.
     */
    remove: (id: number): void => void remove.run(id),
    /** Makes a deleted tap one of the bar again; the caller sets its fields. */
    restore: (id: number): void => void restore.run(id),
    /** The taps that a keg is connected to. */
    ofKeg: (kegId: number): readonly TapKeg[] =>
      ofKeg.all(kegId).map(({ tap_id: tapId, position }) => ({ tapId, position })),
    /** Connects a keg, without a position behind all others. */
    addKeg: (tapId: number, kegId: number, position = (lastPosition.get(tapId) ?? -1) + 1): void =>
      void addKeg.run({ tapId, position, kegId }),
    removeKeg: (tapId: number, kegId: number): void => void removeKeg.run({ tapId, kegId }),
    /** Takes a keg off all its taps. */
    removeKegEverywhere: (kegId: number): void => void removeKegEverywhere.run(kegId),
    setSensor: (id: number, sensorId: number | null): void => void setSensor.run({ id, sensorId }),
    setNext: (id: number, next: { kegId: number | null; beverageId: number | null }): void =>
      void setNext.run({ id, ...next }),
    /** Removes the keg from all taps where it is next. */
    clearNextKeg: (kegId: number): void => void clearNextKeg.run(kegId),
    declared: (key: string): DeclaredTap | null => toDeclared(declared.get(key)),
    declare: (tap: DeclaredTap): void => void declare.run(tap),
  };
}

function toTap(row: RawRow | undefined): TapRecord | null {
  if (row === undefined) return null;
  const [thermoSensorId, nextKegId, nextBeverageId, kegIds] = row.slice(tap.count) as TapReferences;
  const [kegId = null, ...kegIdsBehind] = JSON.parse(kegIds) as readonly number[];
  return { ...tap.read(row), kegId, kegIdsBehind, thermoSensorId, nextKegId, nextBeverageId };
}

function toDeclared(row: DeclaredRow | undefined): DeclaredTap | null {
  if (row === undefined) return null;
  return {
    key: row.key,
    tapId: row.tap_id,
    name: row.name,
    togglePort: row.toggle_port,
    thermoSensor: row.thermo_sensor,
  };
}
