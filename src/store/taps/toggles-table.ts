import type { FlowToggle } from '../../core/records.ts';
import type { Database } from '../database.ts';

interface ToggleRow {
  id: number;
  controller_id: number;
  port_name: string;
  name: string;
  tap_id: number | null;
}

const selectToggle = `SELECT t.*, c.name || '.' || t.port_name AS name
  FROM flow_toggles t JOIN controllers c ON c.id = t.controller_id`;

/** Toggles, which open a tap. A tap has at most one. */
export function togglesTable(db: Database) {
  const all = db.prepare<[], ToggleRow>(`${selectToggle} ORDER BY t.id`);
  const byId = db.prepare<[number], ToggleRow>(`${selectToggle} WHERE t.id = ?`);
  const byTap = db.prepare<[number], ToggleRow>(`${selectToggle} WHERE t.tap_id = ?`);
  const byPort = db.prepare<[number, string], ToggleRow>(
    `${selectToggle} WHERE t.controller_id = ? AND t.port_name = ?`,
  );
  const insert = db
    .prepare<[number, string], number>(
      'INSERT INTO flow_toggles (controller_id, port_name) VALUES (?, ?) RETURNING id',
    )
    .pluck();
  const rename = db.prepare<{ id: number; portName: string }>(
    'UPDATE flow_toggles SET port_name = @portName WHERE id = @id',
  );
  const remove = db.prepare<[number]>('DELETE FROM flow_toggles WHERE id = ?');
  const unbindTap = db.prepare<[number]>('UPDATE flow_toggles SET tap_id = NULL WHERE tap_id = ?');
  const bind = db.prepare<{ id: number; tapId: number }>(
    'UPDATE flow_toggles SET tap_id = @tapId WHERE id = @id',
  );
  return {
    all: (): readonly FlowToggle[] => all.all().map((row) => toToggle(row)!),
    byId: (id: number): FlowToggle | null => toToggle(byId.get(id)),
    byTap: (tapId: number): FlowToggle | null => toToggle(byTap.get(tapId)),
    byPort: (controllerId: number, port: string): FlowToggle | null =>
      toToggle(byPort.get(controllerId, port)),
    add: (controllerId: number, port: string): FlowToggle =>
      toToggle(byId.get(insert.get(controllerId, port)!))!,
    rename: (id: number, portName: string): void => void rename.run({ id, portName }),
    remove: (id: number): void => void remove.run(id),
    unbindTap: (tapId: number): void => void unbindTap.run(tapId),
    bind: (id: number, tapId: number): void => void bind.run({ id, tapId }),
  };
}

function toToggle(row: ToggleRow | undefined): FlowToggle | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    controllerId: row.controller_id,
    portName: row.port_name,
    name: row.name,
    tapId: row.tap_id,
  };
}
