import { factorRange } from '../measurement/meter-curve.ts';
import type { ValuesOf } from '../records/fields.ts';

/** By which people know a controller or a meter. */
export const hardwareTexts = {
  niceName: { kind: 'text', min: 0, max: 128, about: 'Display name' },
  notes: { kind: 'lines', min: 0, max: 10_000, about: 'Notes of staff' },
} as const;

export type HardwareTexts = ValuesOf<typeof hardwareTexts>;

const above0 = (max: number, about: string) =>
  ({ kind: 'number', min: Number.MIN_VALUE, max, orNull: true, about }) as const;
const share = (about: string) => ({ kind: 'number', min: 0, max: 1, orNull: true, about }) as const;

/** The fields of a flow meter that are one column each. */
export const meterFields = {
  controllerId: { kind: 'ref', about: 'Id of its controller' },
  portName: { kind: 'text', min: 1, max: 128, about: 'Port of the controller, such as `flow0`' },
  tapId: { kind: 'ref', orNull: true, about: 'Id of its tap' },
  ticksPerMl: {
    kind: 'number',
    ...factorRange,
    unit: 'ticks/mL',
    about: 'Calibration factor in ticks per millilitre',
  },
  // See `isCalibrated`.
  calibrated: {
    kind: 'flag',
    about: 'False while the default is used instead of the value of its model, a chosen or a measured one',
  },
  uFactor: share('Standard uncertainty of the factor as a share of it; null where nobody measured it'),
  modelHz: above0(100_000, 'Ticks per second of an open tap by the figures of its model'),
  uLagS: share('Standard uncertainty of its lag at start and stop, seconds; null: that of any meter'),
  leastMlPerS: above0(Number.MAX_VALUE, 'Least flow of the range of its model, mL/s'),
  modelTicksPerMl: above0(Number.MAX_VALUE, 'The factor of its model'),
  ticksTotal: {
    kind: 'whole',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    about: 'Every tick ever counted, including drips and held pours',
  },
  ...hardwareTexts,
  lastCountedMs: {
    kind: 'time',
    orNull: true,
    about: 'When it last counted a pour; null when it never did or the clock was not set',
  },
} as const;

export type MeterFields = ValuesOf<typeof meterFields>;
