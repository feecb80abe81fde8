import type { Database } from '../../../store/database.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import type { Scale } from '../core/records.ts';

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

/** A deleted tap can be restored: its scale keeps it, and shows none meanwhile. */
const select = `SELECT s.id, s.name, iif(t.is_deleted = 0, s.tap_id, NULL) AS tap_id, s.topic, s.payload_field, s.unit, s.empty_weight_g,
  s.drift_g_per_k, s.drift_u_g_per_k FROM scales s LEFT JOIN taps t ON t.id = s.tap_id`;

/** Scales under kegs. */
export function scalesTable(db: Database) {
  const all = db.prepare<[], ScaleRow>(`${select} ORDER BY s.id`);
  const byId = db.prepare<[number], ScaleRow>(`${select} WHERE s.id = ?`);
  const byTap = db.prepare<[number], ScaleRow>(`${select} WHERE s.tap_id = ? AND t.is_deleted = 0`);
  const insert = db.prepare<ScaleFields, ScaleRow>(
    `INSERT INTO scales (name, tap_id, topic, payload_field, unit, empty_weight_g)
     VALUES (@name, @tapId, @topic, @payloadField, @unit, @emptyWeightG) RETURNING *`,
  );
  const update = db.prepare<ScaleFields & { id: number }>(
    `UPDATE scales SET name = @name, tap_id = coalesce(@tapId, (SELECT t.id FROM taps t WHERE t.id = scales.tap_id AND t.is_deleted = 1)), topic = @topic, payload_field = @payloadField, unit = @unit,
       empty_weight_g = @emptyWeightG WHERE id = @id`,
  );
  const setCoefficient = db.prepare<Scale['coefficient'] & { id: number }>(
    'UPDATE scales SET drift_g_per_k = @gPerK, drift_u_g_per_k = @uGPerK WHERE id = @id',
  );
  const row = db.prepare<[number], Row>('SELECT * FROM scales WHERE id = ?');
  const holderOf = db.prepare<[tapId: number], number>('SELECT id FROM scales WHERE tap_id = ?').pluck();
  const remove = db.prepare<[number]>('DELETE FROM scales WHERE id = ?');
  return {
    all: (): readonly Scale[] => all.all().map(toScale),
    byId: (id: number): Scale | null => toScaleOrNull(byId.get(id)),
    byTap: (tapId: number): Scale | null => toScaleOrNull(byTap.get(tapId)),
    add: (fields: ScaleFields): Scale => toScale(insert.get(fields)!),
    change: (id: number, fields: ScaleFields): void => void update.run({ ...fields, id }),
    setCoefficient: (id: number, coefficient: Scale['coefficient']): void =>
      void setCoefficient.run({ ...coefficient, id }),
    /** The stored row, also with a tap that is deleted. */
    row: (id: number): Row | null => row.get(id) ?? null,
    /** The id of the scale that has the tap, also a deleted one. */
    holderOf: (tapId: number): number | null => holderOf.get(tapId) ?? null,
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
