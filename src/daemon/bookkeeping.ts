import type { Clock } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import type { Logger } from '../system/log.ts';

/** Old temperatures are looked for so often, seconds; while there are more of them, every second. */
const thinningEveryS = 60;

/** Small steps of work that nobody waits for: adding up statistics, thinning old temperatures. */
export function createBookkeeping({
  engine,
  clock,
  log,
}: {
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  let untilThinningS = thinningEveryS;
  let isFailing = false;

  function step(open: Engine): void {
    open.statistics.addUp();
    untilThinningS -= 1;
    if (untilThinningS > 0) return;
    untilThinningS = thinningEveryS;
    if (open.thermoHistory.thin(clock.now()) > 0) untilThinningS = 1;
  }

  return {
    /** Every second. What fails is tried again, and told once. */
    second(): void {
      const open = engine();
      if (open === null) return;
      try {
        step(open);
        isFailing = false;
      } catch (err) {
        if (!isFailing) log.warn({ err }, 'the books could not be kept; they wait');
        isFailing = true;
      }
    },
  };
}
