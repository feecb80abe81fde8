import type { ValuesOf } from '../../records/fields.ts';

const fullVolumeMl = {
  kind: 'number',
  // Above 0.
  min: Number.MIN_VALUE,
  // Ten cubic metres.
  max: 10_000_000,
  unit: 'mL',
  otherwise: 'the volume of its size',
  about: 'Volume of the full keg in millilitres',
} as const;

const texts = {
  description: { kind: 'lines', min: 0, max: 10_000, about: 'Text for everybody' },
  notes: { kind: 'lines', min: 0, max: 10_000, staffOnly: true, about: 'Text for staff only' },
} as const;

/** What staff write of a keg. */
export const kegInputs = { fullVolumeMl, ...texts };

/** A volume that grows; it has no upper limit. */
const total = (about: string) =>
  ({ kind: 'number', min: 0, max: Number.MAX_VALUE, unit: 'mL', about }) as const;
const time = (about: string) => ({ kind: 'time', about: `UTC time at which it was ${about}` }) as const;

/** All fields of a keg. */
export const kegFields = {
  beverageId: { kind: 'ref', about: 'Id of the beverage in it' },
  sizeId: { kind: 'ref', about: 'Id of its size' },
  state: { kind: 'choice', of: ['available', 'on_tap', 'finished'], about: 'Where the keg is in its life' },
  fullVolumeMl,
  servedVolumeMl: total('Volume of its drinks in millilitres'),
  spilledVolumeMl: { ...total('Volume lost in millilitres'), json: 'spilled_ml' },
  createdTimeMs: time('added'),
  // Equals the creation time until the keg is tapped.
  startedTimeMs: time('put on tap; of its creation before that'),
  finishedTimeMs: { ...time('finished'), orNull: true },
  ranDry: {
    kind: 'flag',
    orNull: true,
    about: 'Whether it was empty when it was finished, as staff said',
  },
  /**
   * It emptied before or after another keg of the same tap without a pause, so that its share of the ticks is computed; or it was taken
   * off before it was empty. It is no evidence of a meter.
   */
  inSeries: { kind: 'flag', about: 'Whether it is no evidence of a meter' },
  ...texts,
} as const;

export type KegInputs = ValuesOf<typeof kegInputs>;
export type KegState = Keg['state'];

export interface Keg extends ValuesOf<typeof kegFields> {
  readonly id: number;
}
