import type { MeterPour } from '../../core/pours/meter-pour.ts';
import type { MeterCounts } from '../../devices/meter-feed.ts';
import type { MeterStatus, RunningPour } from '../../http/ports.ts';
import type { Logger } from '../../system/log/log.ts';
import type { CountingSource } from './counting-source.ts';

/** What the pins and every other source have in common. */
type PourSource = Pick<CountingSource, 'feed' | 'meterStatuses'>;

/** The pins and the other sources of pours, as one. */
export function joinSources(pins: PourSource, log: Pick<Logger, 'error'>) {
  const others: CountingSource[] = [];
  const all = (): readonly PourSource[] => [pins, ...others];
  return {
    add: (source: CountingSource): void => void others.push(source),
    /** The sources besides the pins. */
    others: (): readonly CountingSource[] => others,
    /** The running pours of every source. */
    running: (): readonly MeterPour[] => all().flatMap(({ feed }) => feed.running()),
    /** The running pours, by full meter name. */
    runningPours: (): ReadonlyMap<string, RunningPour> =>
      new Map(
        all().flatMap(({ feed }) =>
          feed.running().map(({ meter, pourId, ticks, series }) => {
            // Boards send their ticks in batches.
            const pour = { pourId, ticks, ...(feed === pins.feed ? { series } : {}) };
            return [meter, pour] as const;
          }),
        ),
      ),
    meterStatuses: (): readonly MeterStatus[] => all().flatMap((source) => source.meterStatuses()),
    counts: (): readonly MeterCounts[] => all().flatMap(({ feed }) => feed.counts()),
    /** Ends the running pour of a meter: the ticks that follow belong to a new pour. */
    endPour(meter: string): void {
      for (const { feed } of all()) feed.endPour(meter);
    },
    /** Ends every pour, when the daemon stops. */
    finishAll(): void {
      for (const { feed } of all()) {
        try {
          feed.finishAll();
        } catch (err) {
          log.error({ err }, 'the last pulses could not be read at shutdown');
        }
      }
    },
    /** Closes the sources besides the pins. */
    async close(): Promise<void> {
      await Promise.all(others.map((source) => source.close()));
    },
  };
}
