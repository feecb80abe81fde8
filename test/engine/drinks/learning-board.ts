import { at, hour, type openEmptyBar } from '../bar.ts';

/** A bar whose left tap has the meter of a board. */
export type Bar = ReturnType<typeof openEmptyBar>;
export const day = 24 * hour;
export const nora = { userId: null, via: 'console' } as const;
/** The board says 1 tick per millilitre, and counts 5 % more. */
export const trueTicksPerMl = 1.05;
export const ticksOf50L = 0.9925 * 50_000 * trueTicksPerMl;

export const report = ({ engine, left }: Bar, afterMs: number, ticks: number, hasTicks = true) =>
  engine.drinks.pours.report(
    {
      tap: left.id,
      ticks: hasTicks ? Math.round(ticks) : 0,
      volumeMl: ticks,
      // At 60 mL/s.
      durationMs: Math.round(ticks / 0.063),
      source: 'device',
    },
    at(afterMs),
  );

/** Pours a keg of 50 L through a board on day `n`; staff say that it ran dry. */
export function emptyKeg(bar: Bar, n: number, { ranDry = true } = {}) {
  const { engine, left } = bar;
  const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  const { id } = engine.kegs.start(left.id, { beverage, sizeKey: 'euro-half' }, at(n * day));
  for (let i = 1; i <= 10; i++) report(bar, n * day + i * hour, ticksOf50L / 10);
  engine.kegs.endOnTap(left.id, at(n * day + 11 * hour), nora, { ranDry });
  return id;
}
