import type { Moment } from '../core/clock/moment.ts';
import { toMinor } from '../core/kegs/money.ts';
import type { Engine } from './engine.ts';
import type { NewKeg } from './kegs/new-keg.ts';
import { systemActor } from './shared/audit.ts';

/** A keg of the demo, and what its beer costs. */
interface SampleKeg extends NewKeg {
  /** In the currency of the site. */
  readonly pricePerLitre: number;
}

/** Part of each price that does not depend on the volume, as bars have it: a small glass costs more per litre. */
const basePrice = 0.8;

/** Invented beers for the demo. */
const sampleKegs: readonly SampleKeg[] = [
  {
    beverage: {
      name: 'Harbour Light',
      producerName: 'Lantern Street Brewing',
      styleName: 'Helles',
      abvPercent: 4.9,
      colorHex: '#F2C14E',
    },
    sizeKey: 'euro-30-liter',
    pricePerLitre: 7.5,
    description: 'Soft, bready and gone before you notice.',
  },
  {
    beverage: {
      name: 'Nine Lives',
      producerName: 'Alley Cat Ales',
      styleName: 'India Pale Ale',
      abvPercent: 6.2,
      colorHex: '#D9822B',
    },
    sizeKey: 'corny',
    pricePerLitre: 10.5,
    description: 'Grapefruit first, regrets later.',
  },
  {
    beverage: {
      name: 'Coal Cellar',
      producerName: 'Lantern Street Brewing',
      styleName: 'Dry Stout',
      abvPercent: 4.3,
      colorHex: '#2B1B12',
    },
    sizeKey: 'euro-half',
    pricePerLitre: 8.5,
    description: 'Roast coffee with a cream collar.',
  },
  {
    beverage: {
      name: 'Orchard Fog',
      producerName: 'Three Hedges',
      styleName: 'Hefeweizen',
      abvPercent: 5.4,
      colorHex: '#E8B04B',
    },
    sizeKey: 'sixth',
    pricePerLitre: 8,
    description: 'Banana, clove and a cloudy horizon.',
  },
];

/** Puts sample kegs on the empty taps of a database that has never had a keg. Returns how many. */
export function addDemoKegs(engine: Engine, now: Moment): number {
  if (engine.kegs.list({ limit: 1 }).total > 0) return 0;
  const empty = engine.taps.list().filter(({ keg }) => keg === null);
  const beers = new Map<number, SampleKeg>();
  empty.forEach(({ tap }, index) => {
    const { pricePerLitre, ...newKeg } = sampleKegs[index % sampleKegs.length]!;
    const { beverageId } = engine.kegs.start(tap.id, newKeg, now);
    beers.set(beverageId, { ...newKeg, pricePerLitre });
  });
  // The demo is already set up, in the units of its samples.
  engine.users.changeSite({
    volumeUnits: 'metric',
    temperatureUnits: 'c',
    showFirstSteps: false,
    isSetUp: true,
  });
  // A price needs the time from which it holds.
  if (now.synced) for (const [id, { pricePerLitre }] of beers) addPrices(engine, id, pricePerLitre, now);
  return empty.length;
}

/** Gives a beer a price for each serving size, rounded to a tenth of the currency's unit. */
function addPrices(engine: Engine, beverageId: number, pricePerLitre: number, now: Moment): void {
  const { currency } = engine.reports.settings();
  const prices = engine.kegs.prices.servingSizes().map(({ id, volumeMl }) => {
    const price = basePrice + (pricePerLitre * volumeMl) / 1000;
    return { sizeId: id, priceMinor: toMinor(Math.round(price * 10) / 10, currency) };
  });
  engine.kegs.prices.setOfBeverage(beverageId, prices, { actor: systemActor, now });
}
