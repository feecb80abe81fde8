import type { Controller } from '../../core/records.ts';
import type { Database } from '../database.ts';
import type { ControllerReports } from '../shared/controller-reports.ts';
import { meterNameTicks } from '../taps/meter-name-ticks.ts';

interface ControllerRow {
  id: number;
  name: string;
  model_name: string | null;
  serial_number: string | null;
  nice_name: string;
  notes: string;
  last_seen_ms: number | null;
}

/** The fields of a controller that people change. */
export type ControllerFields = Omit<Controller, 'lastSeenMs'>;

/** Controllers, which own meters and toggles; `reports` are those of all extensions. */
export function controllersTable(db: Database, reports: readonly ControllerReports[] = []) {
  // A controller was seen when it last reported or one of its meters last counted a pour.
  const seen = [
    '(SELECT max(last_counted_ms) FROM flow_meters WHERE controller_id = c.id)',
    ...reports.map(
      ({ table, controllerId, timeMs }) => `(SELECT ${timeMs} FROM ${table} WHERE ${controllerId} = c.id)`,
    ),
  ];
  const selectController = `SELECT c.*, max(0, ${seen.map((time) => `coalesce(${time}, 0)`).join(', ')}) AS last_seen_ms
    FROM controllers c`;
  const all = db.prepare<[], ControllerRow>(`${selectController} ORDER BY c.id`);
  const byId = db.prepare<[number], ControllerRow>(`${selectController} WHERE c.id = ?`);
  const byName = db.prepare<[string], ControllerRow>(`${selectController} WHERE c.name = ?`);
  const insert = db.prepare<
    { name: string; modelName: string | null; serialNumber: string | null },
    ControllerRow
  >(
    `INSERT INTO controllers (name, model_name, serial_number) VALUES (@name, @modelName, @serialNumber) RETURNING *, NULL AS last_seen_ms`,
  );
  const change = db.prepare<ControllerFields>(
    `UPDATE controllers SET name = @name, model_name = @modelName, serial_number = @serialNumber,
       nice_name = @niceName, notes = @notes WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM controllers WHERE id = ?');
  const nameTicks = meterNameTicks(db);
  const describe = db.prepare<{ id: number; modelName: string | null; serialNumber: string | null }>(
    'UPDATE controllers SET model_name = @modelName, serial_number = @serialNumber WHERE id = @id',
  );
  return {
    all: (): readonly Controller[] => all.all().map((row) => toController(row)!),
    byId: (id: number): Controller | null => toController(byId.get(id)),
    byName: (name: string): Controller | null => toController(byName.get(name)),
    add: (controller: { name: string; modelName: string | null; serialNumber: string | null }): Controller =>
      toController(insert.get(controller))!,
    /** Also renames its meters. */
    change(controller: ControllerFields): void {
      nameTicks.save({ controllerId: controller.id });
      change.run(controller);
      nameTicks.restore({ controllerId: controller.id });
    },
    /** Also removes its meters and toggles. */
    remove(id: number): void {
      nameTicks.save({ controllerId: id });
      remove.run(id);
    },
    describe: (id: number, modelName: string | null, serialNumber: string | null): void =>
      void describe.run({ id, modelName, serialNumber }),
  };
}

function toController(row: ControllerRow | undefined): Controller | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    name: row.name,
    modelName: row.model_name,
    serialNumber: row.serial_number,
    niceName: row.nice_name,
    notes: row.notes,
    lastSeenMs: row.last_seen_ms || null,
  };
}
