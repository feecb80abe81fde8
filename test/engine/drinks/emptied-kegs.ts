import type { Moment } from '../../../src/core/clock/moment.ts';
import type { createEngine } from '../../../src/engine/create-engine.ts';
import { hour, pour } from '../bar.ts';

export const day = 24 * hour;

/** Puts a keg of 50 L on a tap, pours it empty in five pours of four minutes that end before `now`, and ends it. */
export function emptyOneKeg(
  engine: ReturnType<typeof createEngine>,
  tapId: string | number,
  { meter, ticks, now }: { readonly meter: string; readonly ticks: number; readonly now: Moment },
): void {
  const before = (agoMs: number): Moment => ({
    ...now,
    wallMs: now.wallMs - agoMs,
    monoMs: now.monoMs - agoMs,
  });
  const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  engine.kegs.start(Number(tapId), { beverage, sizeKey: 'euro-half' }, before(6 * hour));
  for (let i = 5; i > 0; i--) {
    const ended = before((i * hour) / 2);
    const gas = i === 1 ? ({ class: 'gas', onsetMs: 290_000, ticks: 100, ratio: 2 } as const) : null;
    const counted = Math.round(ticks / 5) + (gas?.ticks ?? 0);
    engine.drinks.pours.record(
      pour(ended, { meter, ticks: counted, durationMs: 300_000, series: '0:1', gas }),
      'pin',
      ended,
    );
  }
  engine.kegs.endOnTap(Number(tapId), now);
}
