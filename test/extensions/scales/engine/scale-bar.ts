import { toKegDensity } from '../../../../src/core/kegs/keg-density.ts';
import { at } from '../../../engine/bar.ts';
import { insertPour } from '../../../kit/drinks/insert-drink.ts';
import { openBarWithScales } from '../scales-on.ts';

/** Weight of an empty keg and the platform, grams. */
export const emptyG = 9_000;
const { kgPerL } = toKegDensity(null);
const second = 1_000;

/** The bar with a scale under the 30 L keg of the left tap, one weight per second. */
export function openScaleBar(file?: string) {
  const bar = openBarWithScales(file);
  const { engine, store } = bar;
  let passedMs = 0;
  let beerMl = 30_000;
  const tap = () => engine.taps.find(bar.left.id)!;
  const report = () =>
    engine.scales.receiveAt(tap(), { weightG: emptyG + beerMl * kgPerL, tempC: 4 }, at(passedMs));
  const wait = (ms: number) => {
    for (const endMs = passedMs + ms; passedMs < endMs; ) {
      passedMs += second;
      report();
    }
  };
  return {
    ...bar,
    report,
    wait,
    now: () => at(passedMs),
    /** Time without a weight. */
    pass(ms: number) {
      passedMs += ms;
    },
    scale: () => engine.scales.byTap(bar.left.id)!,
    open: () => engine.scales.byTap(bar.left.id)!.findings.map(({ kind }) => kind),
    /** Beer runs; the meter counts a share of it. The meter has 1 tick per millilitre. */
    pour(volumeMl: number, countedShare = 1) {
      engine.scales.noteFlow('pi.flow0', at(passedMs));
      beerMl -= volumeMl;
      wait(6 * second);
      insertPour(store, { ticks: Math.round(volumeMl * countedShare) }, at(passedMs));
      wait(60 * second);
    },
    /** Beer runs at so many ticks per second, which the meter stamps one by one; it counts `ticks` of it. */
    pourAt(volumeMl: number, { hz, ticks }: { readonly hz: number; readonly ticks: number }) {
      engine.scales.noteFlow('pi.flow0', at(passedMs));
      beerMl -= volumeMl;
      wait(6 * second);
      const bins = Math.round((ticks / hz) * 10);
      const counted = (bin: number) => Math.round((bin * ticks) / bins);
      const series = Array.from(
        { length: bins },
        (_, bin) => `${bin * 100}:${counted(bin + 1) - counted(bin)}`,
      );
      const drink = insertPour(
        store,
        { ticks, durationMs: bins * 100, series: series.join(' ') },
        at(passedMs),
      );
      engine.scales.noteDrink(drink, at(passedMs));
      wait(60 * second);
    },
    /** Something is put on the scale, or taken off. */
    move(grams: number) {
      beerMl += grams / kgPerL;
    },
  };
}
