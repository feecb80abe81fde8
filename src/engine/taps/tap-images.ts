import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import type { TapLine } from '../../store/taps/taps-table.ts';

/** What staff set of a tap, with the ids of its hardware. */
export interface TapImage {
  readonly id: number;
  readonly name: string;
  readonly notes: string;
  readonly number: number;
  readonly sortOrder: number;
  readonly servingSizeIds: readonly number[];
  /** As a whole: its parts have bounds in common. */
  readonly line: TapLine;
  readonly meterId: number | null;
  readonly toggleId: number | null;
  readonly thermoSensorId: number | null;
  readonly nextKegId: number | null;
  readonly nextBeverageId: number | null;
}

/** A tap that a change touched; null before it was created, and after it was deleted. */
export interface ChangedTap {
  readonly id: number;
  readonly before: TapImage | null;
  readonly after: TapImage | null;
}

/** All taps as they are now. */
export const readImages = (store: Store): readonly TapImage[] =>
  store.taps
    .all()
    .map(({ id, name, notes, number, sortOrder, thermoSensorId, nextKegId, nextBeverageId, ...tap }) => ({
      id,
      name,
      notes,
      number,
      sortOrder,
      line: { lineVolumeMl: tap.lineVolumeMl, lineToMeterMl: tap.lineToMeterMl, hasFob: tap.hasFob },
      servingSizeIds: store.taps.servingSizes.byTap(id),
      meterId: store.taps.meters.byTap(id)?.id ?? null,
      toggleId: store.taps.toggles.byTap(id)?.id ?? null,
      thermoSensorId,
      nextKegId,
      nextBeverageId,
    }));

/** The taps that differ. */
export function compareImages(
  before: readonly TapImage[],
  after: readonly TapImage[],
): readonly ChangedTap[] {
  const ids = new Set([...before, ...after].map(({ id }) => id));
  const find = (images: readonly TapImage[], id: number) => images.find((one) => one.id === id) ?? null;
  return [...ids]
    .map((id) => ({ id, before: find(before, id), after: find(after, id) }))
    .filter((tap) => JSON.stringify(tap.before) !== JSON.stringify(tap.after));
}

export function toChangedTaps({ before, after }: CorrectionRow): readonly ChangedTap[] {
  type Stored = readonly { readonly id: number; readonly tap: TapImage | null }[];
  const later = JSON.parse(after) as Stored;
  return (JSON.parse(before) as Stored).map(({ id, tap }, index) => ({
    id,
    before: tap,
    after: later[index]!.tap,
  }));
}

/** The names of the fields that the change gave another value. */
export function changedFields({ before, after }: ChangedTap): readonly (keyof TapImage)[] {
  const fields = Object.keys(before ?? after ?? {}) as (keyof TapImage)[];
  return fields.filter((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]));
}

/** True when a change gave a tap that was neither created nor deleted another next keg or beverage. */
export const changesNext = (tap: ChangedTap): boolean =>
  tap.before !== null &&
  tap.after !== null &&
  changedFields(tap).some((field) => field === 'nextKegId' || field === 'nextBeverageId');
