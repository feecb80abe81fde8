import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';

/** A row of a tap; the engine looks up what is attached to it. */
export interface TapRecord {
  readonly id: number;
  readonly name: string;
  readonly notes: string;
  readonly sortOrder: number;
  /** Shown to guests; unique. */
  readonly number: number;
  /** Volume of the beer line from keg to tap, and of the part of it before the meter, mL; null when not known. */
  readonly lineVolumeMl: number | null;
  readonly lineToMeterMl: number | null;
  readonly hasFob: boolean;
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

interface TapRow {
  id: number;
  name: string;
  notes: string;
  sort_order: number;
  number: number | null;
  line_volume_ml: number | null;
  line_to_meter_ml: number | null;
  has_fob: number;
  keg_ids: string;
  thermo_sensor_id: number | null;
  next_keg_id: number | null;
  next_beverage_id: number | null;
}

/** Fields of a tap that people edit. */
interface TapFields {
  readonly name: string;
  readonly notes: string;
  readonly sortOrder: number;
  readonly number: number;
}

/** A keg at a tap; the keg of a tap with the lowest position is the one that is poured from. */
export interface TapKeg {
  readonly tapId: number;
  readonly position: number;
}

/** What is known of the line between keg and tap. */
export type TapLine = Pick<TapRecord, 'lineVolumeMl' | 'lineToMeterMl' | 'hasFob'>;

interface DeclaredRow {
  key: string;
  tap_id: number | null;
  name: string;
  toggle_port: string | null;
  thermo_sensor: string | null;
}

const select = `SELECT t.*, (
    SELECT json_group_array(keg_id) FROM (SELECT keg_id FROM tap_kegs WHERE tap_id = t.id ORDER BY position)
  ) AS keg_ids FROM taps t`;

/** Taps, and their declarations in the configuration file. */
export function tapsTable(db: Database, caches: Caches) {
  const all = db.prepare<[], TapRow>(`${select} WHERE t.is_deleted = 0 ORDER BY t.sort_order, t.id`);
  const byId = db.prepare<[number], TapRow>(`${select} WHERE t.id = ? AND t.is_deleted = 0`);
  // Every pour needs its tap's keg, and kegs change rarely.
  const cachedTaps = caches.untilChange(() => new Map<number, TapRecord>());
  const byKeg = db.prepare<[number], TapRow>(
    `${select} WHERE t.id = (SELECT min(tap_id) FROM tap_kegs WHERE keg_id = ?)`,
  );
  const insert = db
    .prepare<TapFields, number>(
      `INSERT INTO taps (name, notes, sort_order, number) VALUES (@name, @notes, @sortOrder, @number)
       RETURNING id`,
    )
    .pluck();
  const rename = db.prepare<{ id: number; name: string }>('UPDATE taps SET name = @name WHERE id = @id');
  const change = db.prepare<TapFields & { id: number }>(
    'UPDATE taps SET name = @name, notes = @notes, sort_order = @sortOrder, number = @number WHERE id = @id',
  );
  const setLine = db.prepare<Omit<TapLine, 'hasFob'> & { id: number; hasFob: number }>(
    `UPDATE taps SET line_volume_ml = @lineVolumeMl, line_to_meter_ml = @lineToMeterMl, has_fob = @hasFob WHERE id = @id`,
  );
  const clearNumbers = db.prepare('UPDATE taps SET number = NULL');
  const setOrder = db.prepare<{ id: number; sortOrder: number; number: number }>(
    'UPDATE taps SET sort_order = @sortOrder, number = @number WHERE id = @id',
  );
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
    add: (tap: TapFields): number => insert.get(tap)!,
    rename: (id: number, name: string): void => void rename.run({ id, name }),
    change: (id: number, { name, notes, sortOrder, number }: TapFields): void =>
      void change.run({ id, name, notes, sortOrder, number }),
    setLine: (id: number, { lineVolumeMl, lineToMeterMl, hasFob }: TapLine): void =>
      void setLine.run({ id, lineVolumeMl, lineToMeterMl, hasFob: Number(hasFob) }),
    /** Sets place and number of all taps at once, so that two can swap their numbers. */
    setOrder(taps: readonly { id: number; sortOrder: number; number: number }[]): void {
      clearNumbers.run();
      for (const { id, sortOrder, number } of taps) setOrder.run({ id, sortOrder, number });
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

function toTap(row: TapRow | undefined): TapRecord | null {
  if (row === undefined) return null;
  const [kegId = null, ...kegIdsBehind] = JSON.parse(row.keg_ids) as readonly number[];
  return {
    id: row.id,
    name: row.name,
    notes: row.notes,
    sortOrder: row.sort_order,
    number: row.number ?? 0,
    lineVolumeMl: row.line_volume_ml,
    lineToMeterMl: row.line_to_meter_ml,
    hasFob: row.has_fob === 1,
    kegId,
    kegIdsBehind,
    thermoSensorId: row.thermo_sensor_id,
    nextKegId: row.next_keg_id,
    nextBeverageId: row.next_beverage_id,
  };
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
