import { type ActorContext, auditedChange } from '../../../engine/shared/actor-context.ts';
import { addCorrection } from '../../../engine/shared/corrections/add-correction.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import type { ScaleEngineParts } from './parts.ts';
import { type ScaleChange, scaleCorrection } from './undo-kinds.ts';

/** Columns that are learned while the scale works; undo leaves them as they are. */
const learned = new Set(['drift_g_per_k', 'drift_u_g_per_k']);

/** Runs a change of a scale like `auditedChange`; with a context it can be undone by the id of its entry. */
export function correctableScaleChange<T>(
  parts: ScaleEngineParts,
  context: ActorContext | undefined,
  { action, id }: { readonly action: string; readonly id: number },
  work: () => T,
): T {
  const { store } = parts;
  let before: Row | null = null;
  return auditedChange(
    parts,
    context,
    {
      action,
      kind: 'scale',
      id,
      snapshot: store.scales.byId,
      logged(entryId: number) {
        const change = toChange(id, before!, store.scales.row(id));
        addCorrection(parts, {
          id: entryId,
          kind: scaleCorrection,
          before: JSON.stringify(change),
          after: '{}',
        });
      },
    },
    () => {
      before = store.scales.row(id);
      return work();
    },
  );
}

function toChange(id: number, before: Row, after: Row | null): ScaleChange {
  if (after === null) return { id, before, after };
  const columns = Object.keys(before).filter(
    (column) => !learned.has(column) && before[column] !== after[column],
  );
  const pick = (row: Row): Row => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
  return { id, before: pick(before), after: pick(after) };
}
