import type { Moment } from '../../../core/clock/moment.ts';
import { isLaterCounter, type KeptCounter, toKeptTotal } from '../../../core/pours/counter-position.ts';
import type { KeptMeterTotal } from '../devices/reported-ticks.ts';

/** The latest total of each meter of a controller, on the clock of `now`. */
export function toKeptTotals(
  kept: readonly KeptCounter[],
  options: {
    readonly controller: string;
    readonly now: Moment;
    /** Until when ticks of a meter belong to its interrupted pour; undefined when none was interrupted. */
    readonly flowUntilMonoMs: (meter: string) => number | undefined;
  },
): KeptMeterTotal[] {
  const { controller, now, flowUntilMonoMs } = options;
  const prefix = `${controller}.`;
  const latest = new Map<string, KeptCounter>();
  for (const one of kept) {
    if (!one.meter.startsWith(prefix)) continue;
    const other = latest.get(one.meter);
    if (other === undefined || isLaterCounter(one, other, now.bootId)) latest.set(one.meter, one);
  }
  return [...latest.values()].map((one) => {
    const until = flowUntilMonoMs(one.meter);
    return {
      ...toKeptTotal(one, now),
      meter: one.meter.slice(prefix.length),
      ...(until === undefined ? {} : { flowUntilMonoMs: until }),
    };
  });
}
