import type { Scale } from '../../../core/records.ts';
import type { Database } from '../../../store/database.ts';

interface ScaleRow {
  id: number;
  name: string;
  tap_id: number | null;
  topic: string;
  payload_field: string;
  unit: 'g' | 'kg';
  empty_weight_g: number | null;
  drift_g_per_k: number;
  drift_u_g_per_k: number;
}

/** The fields of a scale that people change. */
export type ScaleFields = Omit<Scale, 'id' | 'coefficient'>;

/** Scales under kegs. */
export function scalesTable(db: Database) {
  const all = db.prepare<[], ScaleRow>('SELECT * FROM scales ORDER BY id');
  const byId = db.prepare<[number], ScaleRow>('SELECT * FROM scales WHERE id = ?');
  const byTap = db.prepare<[number], ScaleRow>('SELECT * FROM scales WHERE tap_id = ?');
  const insert = db.prepare<ScaleFields, ScaleRow>(
    `INSERT INTO scales (name, tap_id, topic, payload_field, unit, empty_weight_g)
     VALUES (@name, @tapId, @topic, @payloadField, @unit, @emptyWeightG) RETURNING *`,
  );
  const update = db.prepare<ScaleFields & { id: number }>(
    `UPDATE scales SET name = @name, tap_id = @tapId, topic = @topic, payload_field = @payloadField, unit = @unit,
       empty_weight_g = @emptyWeightG WHERE id = @id`,
  );
  const setCoefficient = db.prepare<Scale['coefficient'] & { id: number }>(
    'UPDATE scales SET drift_g_per_k = @gPerK, drift_u_g_per_k = @uGPerK WHERE id = @id',
  );
  const setTap = db.prepare<{ id: number; tapId: number }>(
    'UPDATE scales SET tap_id = @tapId WHERE id = @id',
  );
  const unbindTap = db.prepare<[number]>('UPDATE scales SET tap_id = NULL WHERE tap_id = ?');
  const remove = db.prepare<[number]>('DELETE FROM scales WHERE id = ?');
  return {
    all: (): readonly Scale[] => all.all().map(toScale),
    byId: (id: number): Scale | null => toScaleOrNull(byId.get(id)),
    byTap: (tapId: number): Scale | null => toScaleOrNull(byTap.get(tapId)),
    add: (fields: ScaleFields): Scale => toScale(insert.get(fields)!),
    change: (id: number, fields: ScaleFields): void => void update.run({ ...fields, id }),
    setCoefficient: (id: number, coefficient: Scale['coefficient']): void =>
      void setCoefficient.run({ ...coefficient, id }),
    setTap: (id: number, tapId: number): void => void setTap.run({ id, tapId }),
    /** The scale of a deleted tap stays. */
    unbindTap: (tapId: number): void => void unbindTap.run(tapId),
    remove: (id: number): void => void remove.run(id),
  };
}

const toScaleOrNull = (row: ScaleRow | undefined): Scale | null => (row === undefined ? null : toScale(row));

const toScale = (row: ScaleRow): Scale => ({
  id: row.id,
  name: row.name,
  tapId: row.tap_id,
  topic: row.topic,
  payloadField: row.payload_field,
  unit: row.unit,
  emptyWeightG: row.empty_weight_g,
  coefficient: { gPerK: row.drift_g_per_k, uGPerK: row.drift_u_g_per_k },
});
