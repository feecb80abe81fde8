import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultOpenMlPerS } from '../core/measurement/tap-rate.ts';
import { hardwareDirectory } from '../system/product.ts';
import { listNames } from '../system/small-files.ts';

/** Bounce limit of a meter whose model does not say how fast it can be, milliseconds: 833 Hz. */
export const defaultMinGapMs = 1.2;

/** Share of the shortest gap that a model can make; magnets that are uneven by 15 % and gas beyond its range stay above it. */
const minGapShare = 0.4;

/** What a tap usually pours, mL/s, while nothing better is known of it. */
export const typicalFlowMlPerS = 60;

/** A rate is called outside of the model's figures beyond this share of them. */
const rateTolerance = 0.1;

/** What is known of a flow-meter model; null where its sources do not say. */
export interface CataloguedMeter {
  /** Calibration, ticks per millilitre. */
  readonly ticksPerMl: number;
  /** Highest pulse rate within its range, Hz. */
  readonly maxHz: number | null;
  readonly minLPerMin: number | null;
  readonly maxLPerMin: number | null;
  /** Bound of its error before it is calibrated, percent. */
  readonly accuracyPercent: number | null;
  /** Spread of equal pours, percent. */
  readonly repeatabilityPercent: number | null;
  /** Calibration at several pulse rates, ascending; empty when only one is known. */
  readonly points: readonly { readonly hz: number; readonly ticksPerMl: number }[];
}

/** Flow-meter models by id. */
export type MeterCatalogue = ReadonlyMap<string, CataloguedMeter>;

/**
 * Reads the models of `hardware/meters/*.json`. The tests check that each file is complete and names its sources, so this is
 * not repeated at every start of a Pi.
 */
export function readMeterCatalogue(directory = join(hardwareDirectory, 'meters')): MeterCatalogue {
  const catalogue = new Map<string, CataloguedMeter>();
  for (const name of listNames(directory).filter((one) => one.endsWith('.json'))) {
    const model = readModel(join(directory, name));
    if (model !== null) catalogue.set(name.replace(/\.json$/, ''), model);
  }
  return catalogue;
}

/** The bounce limit that follows from a model's highest rate, milliseconds; the fixed one without a model. */
export function modelMinGapMs(model: { readonly maxHz: number | null } | null | undefined): number {
  const maxHz = model?.maxHz ?? null;
  return maxHz === null ? defaultMinGapMs : Math.round((minGapShare * 100_000) / maxHz) / 100;
}

/** Ticks per second of an open tap while its own rate is not learned: the usual flow, within the model's range. */
export function typicalHz(
  meter: Pick<CataloguedMeter, 'ticksPerMl'> & Partial<Pick<CataloguedMeter, 'minLPerMin' | 'maxLPerMin'>>,
): number {
  const least = toMlPerS(meter.minLPerMin ?? 0);
  const most = toMlPerS(meter.maxLPerMin ?? Number.POSITIVE_INFINITY);
  return Math.min(Math.max(typicalFlowMlPerS, least), most) * meter.ticksPerMl;
}

/**
 * Ticks per second that stand in for the rate of an open tap until its pours have shown it: by the highest factor that the
 * model's figures allow, so that beer is not taken for gas.
 */
export function defaultOpenHz({
  ticksPerMl,
  accuracyPercent,
  points,
}: Pick<CataloguedMeter, 'ticksPerMl' | 'accuracyPercent' | 'points'>): number {
  const highest = Math.max(ticksPerMl, ...points.map((point) => point.ticksPerMl));
  return defaultOpenMlPerS * highest * (1 + (accuracyPercent ?? 0) / 100);
}

/** Whether a model cannot take the usual flow of a tap. */
export const isTooSmall = ({ maxLPerMin }: Pick<CataloguedMeter, 'maxLPerMin'>): boolean =>
  maxLPerMin !== null && toMlPerS(maxLPerMin) < typicalFlowMlPerS;

/** Whether a steady pulse rate is outside of what the model can measure; null when it fits or nothing is known. */
export function findRangeFault(model: CataloguedMeter, hz: number): 'above' | 'below' | null {
  const { ticksPerMl, maxHz, minLPerMin } = model;
  if (maxHz !== null && hz > maxHz * (1 + rateTolerance)) return 'above';
  const leastHz = minLPerMin === null ? 0 : toMlPerS(minLPerMin) * ticksPerMl;
  return hz > 0 && hz < leastHz * (1 - rateTolerance) ? 'below' : null;
}

const toMlPerS = (lPerMin: number): number => (lPerMin * 1_000) / 60;

function readModel(file: string): CataloguedMeter | null {
  try {
    const entry = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
    const ticksPerMl = positive(field(entry.ticks_per_ml, 'value'));
    if (ticksPerMl === null) return null;
    return {
      ticksPerMl,
      maxHz: positive(field(entry.max_hz, 'value')),
      minLPerMin: positive(field(entry.range_l_min, 'min')),
      maxLPerMin: positive(field(entry.range_l_min, 'max')),
      accuracyPercent: positive(field(entry.accuracy_percent, 'value')),
      repeatabilityPercent: positive(field(entry.repeatability_percent, 'value')),
      points: readPoints(field(entry.linearity_points, 'value')),
    };
  } catch {
    // A damaged entry only loses its model; a configuration that names it gets the list of known models.
    return null;
  }
}

function readPoints(value: unknown): CataloguedMeter['points'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((point) => {
    const hz = positive(field(point, 'hz'));
    const ticksPerMl = positive(field(point, 'ticks_per_ml'));
    return hz === null || ticksPerMl === null ? [] : { hz, ticksPerMl };
  });
}

const field = (group: unknown, key: string): unknown =>
  typeof group === 'object' && group !== null ? (group as Readonly<Record<string, unknown>>)[key] : undefined;

const positive = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);
