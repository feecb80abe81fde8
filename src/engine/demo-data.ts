import type { Moment } from '../core/clock/moment.ts';
import type { Engine } from './engine.ts';
import type { NewKeg } from './kegs/new-keg.ts';

/** Invented beers for the demo. */
const sampleKegs: readonly NewKeg[] = [
  {
    beverage: {
      name: 'Harbour Light',
      producerName: 'Lantern Street Brewing',
      styleName: 'Helles',
      abvPercent: 4.9,
      colorHex: '#F2C14E',
    },
    sizeKey: 'euro-30-liter',
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
    description: 'Banana, clove and a cloudy horizon.',
  },
];

/** Puts sample kegs on the empty taps of a database that has never had a keg. Returns how many. */
export function addDemoKegs(engine: Engine, now: Moment): number {
  if (engine.kegs.list({ limit: 1 }).total > 0) return 0;
  const empty = engine.taps.list().filter(({ keg }) => keg === null);
  empty.forEach(({ tap }, index) => {
    engine.kegs.start(tap.id, sampleKegs[index % sampleKegs.length]!, now);
  });
  // The demo is already set up, in the units of its samples.
  engine.users.changeSite({
    volumeUnits: 'metric',
    temperatureUnits: 'c',
    showFirstSteps: false,
    isSetUp: true,
  });
  return empty.length;
}
