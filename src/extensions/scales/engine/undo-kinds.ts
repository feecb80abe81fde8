import { AppError } from '../../../core/app-error.ts';
import { restoring, type UndoKind } from '../../../engine/shared/corrections/undo-kinds.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import { restoredTable } from '../../../store/shared/restored-rows.ts';
import type { Scale } from '../core/records.ts';
import { type ScaleDatabase, withScales } from '../store/scales-store.ts';

const scalesTable = restoredTable('scales');

/** Corrections of this kind restore the fields of a scale, or the scale. */
export const scaleCorrection = 'scale';

/** A changed scale, with the changed columns only; `after` is null for one that was deleted. */
export interface ScaleChange {
  readonly id: number;
  readonly before: Row;
  readonly after: Row | null;
}

export const scaleUndoKinds: readonly UndoKind[] = [
  {
    name: scaleCorrection,
    isByPin: false,
    undo: restoring({
      restore: (store, correction) => undoScaleChange(withScales(store), correction),
      read: (store, _correction, { id }) => withScales(store).scales.byId(Number(id)),
    }),
  },
];

/**
 * Restores the fields that the change wrote, or the scale that it deleted. Throws `conflict` when they were changed since, or when
 * another scale has their tap or topic. Call it in a transaction.
 */
function undoScaleChange(store: ScaleDatabase, correction: CorrectionRow): void {
  const { id, before, after } = JSON.parse(correction.before) as ScaleChange;
  const current = store.scales.row(id);
  if (after !== null) {
    if (current === null) throw conflict('is gone', 'device_gone');
    if (Object.keys(after).some((column) => after[column] !== current[column]))
      throw conflict('was changed again since', 'device_changed_since');
  }
  const row = withFreeTap(store, id, { ...current, ...before });
  requireFree(store, id, row, after === null);
  if (after === null) restoreScale(store, id, row);
  else store.drinks.rows.update(scalesTable, id, row);
}

/** A deleted tap that another scale keeps is lost to this one. */
function withFreeTap({ scales, taps }: ScaleDatabase, id: number, row: Row): Row {
  if (row.tap_id == null) return row;
  const holder = scales.holderOf(Number(row.tap_id));
  const isLost = holder !== null && holder !== id && taps.byId(Number(row.tap_id)) === null;
  return isLost ? { ...row, tap_id: null } : row;
}

/** A tap has one scale, and a field of a topic feeds one. */
function requireFree({ scales }: ScaleDatabase, id: number, row: Row, wasDeleted: boolean): void {
  const { tap_id: tapId, topic, payload_field: field } = row;
  const isTaken = scales.all().some((other) => {
    if (other.id === id) return false;
    if (topic !== '' && other.topic === topic && other.payloadField === field) return true;
    return tapId !== null && other.tapId === tapId && !(wasDeleted && isPlainScale(other));
  });
  if (isTaken) throw conflict('had a tap or topic that another scale has since', 'device_changed_since');
}

/** As the first weight of a tap creates it: nobody has set anything yet. */
const isPlainScale = ({ topic, payloadField, emptyWeightG }: Scale): boolean =>
  topic === '' && payloadField === '' && emptyWeightG === null;

/** The one that the next weight created at its tap gives way. */
function restoreScale({ scales, scaleReadings, drinks }: ScaleDatabase, id: number, row: Row): void {
  const again = row.tap_id == null ? null : scales.holderOf(Number(row.tap_id));
  if (again !== null) {
    scaleReadings.move({ from: again, to: id });
    scales.remove(again);
  }
  drinks.rows.insert(scalesTable, row);
}

const conflict = (obstacle: string, reason: 'device_gone' | 'device_changed_since'): AppError =>
  new AppError('conflict', `This cannot be undone: the hardware ${obstacle}.`, { reason: { name: reason } });
