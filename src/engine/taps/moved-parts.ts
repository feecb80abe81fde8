import { AppError } from '../../core/app-error.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Row } from '../../store/drinks/rows-table.ts';
import type { Store } from '../../store/store.ts';
import { toChangedTaps } from './tap-images.ts';

/** How a meter or toggle of another tap is connected. */
export interface PartMove {
  /** True takes it from the tap that it serves; default false: refused. */
  readonly moves?: boolean | undefined;
}

/** Throws `conflict` for a meter or toggle that serves another tap, unless it is to be moved. */
export function requireMovable(
  store: Store,
  kind: 'meter' | 'toggle',
  part: { readonly tapId: number | null },
  tapId: number | null,
  { moves = false }: PartMove,
): void {
  if (moves || part.tapId === null || part.tapId === tapId) return;
  const { name } = store.taps.byId(part.tapId)!;
  throw new AppError(
    'conflict',
    `The ${kind} is connected to tap “${name}”: repeat it with \`move\` to take it from there.`,
    { reason: { name: kind === 'meter' ? 'meter_on_other_tap' : 'toggle_on_other_tap', tap: name } },
  );
}

/** The names of the meters that get another tap when a change of taps is undone. */
export function metersMovedByTap(store: Store, correction: CorrectionRow): readonly string[] {
  const moved = toChangedTaps(correction).filter(({ before, after }) => before?.meterId !== after?.meterId);
  const ids = moved.flatMap(({ before, after }) => [before?.meterId ?? [], after?.meterId ?? []].flat());
  return toNames(store, new Set(ids));
}

/** The same when a change of hardware is undone. */
export function metersMovedByDevice(store: Store, correction: CorrectionRow): readonly string[] {
  const rows = JSON.parse(correction.before) as readonly { table: string; id: number; before: Row | null }[];
  const moved = rows.filter(
    ({ table, before }) => table === 'flow_meters' && before !== null && 'tap_id' in before,
  );
  return toNames(store, new Set(moved.map(({ id }) => id)));
}

const toNames = (store: Store, meterIds: ReadonlySet<number>): readonly string[] =>
  [...meterIds].flatMap((id) => store.taps.meters.byId(id)?.name ?? []);
