import type { Clock } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import type { Logger } from '../system/log.ts';

/** Old temperatures are looked for so often, seconds; while there are more of them, every second. */
const thinningIntervalS = 60;

/** Small steps of work that nobody waits for: adding up statistics, thinning old temperatures. */
export function createMaintenance({
  engine,
  clock,
  log,
}: {
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  let untilThinningS = thinningIntervalS;
  let isFailing = false;

  function step(openEngine: Engine): void {
    openEngine.statistics.addUp();
    untilThinningS -= 1;
    if (untilThinningS > 0) return;
    untilThinningS = thinningIntervalS;
    if (openEngine.thermoHistory.thin(clock.now()) > 0) untilThinningS = 1;
  }

  return {
    /** Every second. What fails is tried again, and told once. */
    everySecond(): void {
      const openEngine = engine();
      if (openEngine === null) return;
      try {
        step(openEngine);
        isFailing = false;
      } catch (err) {
        if (!isFailing) log.warn({ err }, 'the books could not be kept; they wait');
        isFailing = true;
      }
    },
  };
}
