import type { StartedStep } from './cleaning-mode.ts';
import type { CleaningStep } from './cleaning-terms.ts';

/** What came out of the tap, millilitres; together all that flowed. */
export interface CleaningParts {
  readonly beerMl: number;
  readonly cleanerMl: number;
  /** Water before and after the cleaner. */
  readonly rinseMl: number;
}

/** A flow during a cleaning. */
interface CleaningPour {
  /** Its end, Unix milliseconds. */
  readonly timeMs: number;
  readonly durationMs: number;
  readonly volumeMl: number;
}

export interface CleaningFlow {
  readonly pours: readonly CleaningPour[];
  /** In their order; empty for pours that were marked afterwards: then all is cleaner. */
  readonly steps: readonly StartedStep[];
  /** Volume of the line from the keg to the tap; null where it is not known. */
  readonly lineVolumeMl: number | null;
  /** False when the line held water before, as after another cleaning: no beer is lost then. */
  readonly hasBeer: boolean;
}

const afterBeer: Readonly<Record<CleaningStep, keyof CleaningParts>> = {
  push_out: 'rinseMl',
  cleaner: 'cleanerMl',
  contact: 'cleanerMl',
  rinse: 'rinseMl',
  check: 'rinseMl',
  refill: 'rinseMl',
};

/**
 * Divides what flowed. The first line volume is the beer that was in the line, whatever pushed it. When the line is filled with
 * beer again, one line volume of water comes out first; beer that flows after it is lost, too. So the beer of one line is lost
 * once, when it is pushed out. Without a line volume all that flows while beer is pushed out counts as beer.
 */
export function divideCleaning({ pours, steps, lineVolumeMl, hasBeer }: CleaningFlow): CleaningParts {
  const parts = { beerMl: 0, cleanerMl: 0, rinseMl: 0 };
  let beerLeft = hasBeer ? (lineVolumeMl ?? 0) : 0;
  let waterLeft = lineVolumeMl ?? Number.POSITIVE_INFINITY;
  for (const pour of [...pours].sort((one, other) => one.timeMs - other.timeMs)) {
    const step = stepAt(steps, pour);
    let left = pour.volumeMl;
    const take = (part: keyof CleaningParts, mostMl: number): number => {
      const taken = Math.min(left, mostMl);
      parts[part] += taken;
      left -= taken;
      return taken;
    };
    if (step === 'refill') {
      waterLeft -= take('rinseMl', waterLeft);
      take('beerMl', left);
      continue;
    }
    beerLeft -= take('beerMl', beerLeft);
    if (step === 'push_out' && lineVolumeMl === null && hasBeer) take('beerMl', left);
    take(afterBeer[step], left);
  }
  return parts;
}

/** The step in whose middle it flowed: pours are cut where a step begins, but clocks differ by some milliseconds. */
function stepAt(steps: readonly StartedStep[], { timeMs, durationMs }: CleaningPour): CleaningStep {
  const middleMs = timeMs - durationMs / 2;
  return steps.findLast(({ sinceMs }) => sinceMs <= middleMs)?.step ?? steps[0]?.step ?? 'cleaner';
}
