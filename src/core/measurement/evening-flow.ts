import { type PourFlow, quantile } from './pour-flow.ts';

/** Fewer clean pours say nothing about an evening. */
export const minEveningPours = 5;

/**
 * Of the pours of an evening the fastest tenth shows the line: guests and staff throttle half of the others by hand. The
 * median would follow the hand.
 */
const openShare = 0.9;

/** One drink, as far as it shows the line. */
export interface EveningPour {
  /** Null for a foamy pour, which is only counted. */
  readonly flow: PourFlow | null;
  /** Ticks per millilitre with which it was counted. */
  readonly ticksPerMl: number;
}

/** The flow of a tap on one business day. */
export interface EveningFlow {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Clean pours by which it was judged. */
  readonly pours: number;
  /** Rate of the open tap. */
  readonly rateMlPerS: number;
  /** The same in ticks, which a new factor of the meter does not change. */
  readonly ticksPerS: number;
  /** Time lost while the flow begins; null with fewer than five pours that tell. */
  readonly riseMs: number | null;
  /** Short stops per minute of flow; null for a meter that is too coarse. */
  readonly dipsPerMin: number | null;
  /** Share of the pours that were foamy, 0…1. */
  readonly foamyShare: number;
  /** Mean of its thermo sensor in the hours of the pours; null without readings. */
  readonly tempC: number | null;
  /** What was left in the keg in the middle of the evening, 0…1; null when that is not known. */
  readonly kegLeft: number | null;
}

/** Sums up the pours of one business day; null when there are too few. */
export function toEveningFlow(
  date: string,
  pours: readonly EveningPour[],
  line: Pick<EveningFlow, 'tempC' | 'kegLeft'>,
): EveningFlow | null {
  const clean = pours.flatMap((pour) => (pour.flow === null ? [] : [{ ...pour, flow: pour.flow }]));
  if (clean.length < minEveningPours) return null;
  const rises = clean.flatMap(({ flow }) => flow.riseMs ?? []);
  const dips = clean.flatMap(({ flow }) => flow.dips ?? []);
  const dipMs = dips.reduce((sum, { ms }) => sum + ms, 0);
  return {
    date,
    pours: clean.length,
    rateMlPerS: quantile(
      clean.map(({ flow, ticksPerMl }) => flow.ticksPerS / ticksPerMl),
      openShare,
    )!,
    ticksPerS: quantile(
      clean.map(({ flow }) => flow.ticksPerS),
      openShare,
    )!,
    riseMs: rises.length < minEveningPours ? null : quantile(rises, 1 - openShare),
    dipsPerMin:
      dips.length < minEveningPours
        ? null
        : (dips.reduce((sum, { count }) => sum + count, 0) * 60_000) / dipMs,
    foamyShare: 1 - clean.length / pours.length,
    ...line,
  };
}
