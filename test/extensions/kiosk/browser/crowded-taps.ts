import { textProblem } from '../../../../src/core/health/problems.ts';
import type { LiveTap } from '../../../../src/http/live/shapes.ts';
import { createTap } from '../../../browser/kit/live-messages.ts';

type Beverage = NonNullable<LiveTap['beverage']>;

/** A tap of a crowded bar, with the details that `GET /api/taps` has of its beverage. */
interface CrowdedTap {
  readonly tap: LiveTap;
  readonly details: object | null;
}

const beverages: readonly Beverage[] = [
  beverage('Augustiner Hell', 'Augustiner-Bräu Wagner KG', 'Helles', 5.2, '#f0c53c'),
  beverage(
    'Weihenstephaner Vitus Weizenbock Sonderabfüllung',
    'Bayerische Staatsbrauerei Weihenstephan',
    'Weizenbock',
    7.7,
    '#e39b26',
  ),
  beverage('Pils', 'Jever', 'Pils', 4.9, '#f6dc74'),
  beverage(
    'Donaudampfschifffahrtsgesellschaftsbier',
    'Brauerei zum Kapitän',
    'Dunkles Exportbier',
    5.6,
    '#5b2a0b',
  ),
  beverage(
    'Imperial Russian Stout Aged in Bourbon Barrels 2026',
    'The Extremely Long Brewing Company of Northumberland',
    'Imperial Russian Stout',
    12.5,
    '#160b05',
  ),
  beverage('Kölsch', 'Päffgen', null, 4.8, '#f4cf52'),
  beverage('Rhubarb & Strawberry Pastry Sour', 'Omnipollo', 'Fruited Sour Ale', 6, '#e0563f'),
  beverage('IPA', '', 'India Pale Ale', null, '#d98a1c'),
];

function beverage(
  name: string,
  producer: string,
  style: string | null,
  abv: number | null,
  color: string,
): Beverage {
  return { id: '1', name, producer, style, abv, color_hex: color, picture_url: null };
}

const description =
  'Malty and soft with a firm bitterness, brewed from four malts and two hops after a recipe of 1843; pours deep gold with ' +
  'a lasting head, and goes with cheese, bread and long evenings.';

/** A label, 300 × 400. */
const label = '/icon.svg';

/** Creates taps of a bar with long names, missing data, nearly empty kegs, empty taps and two running pours. */
export function createCrowdedTaps(count: number): readonly CrowdedTap[] {
  return Array.from({ length: count }, (_, index) => createCrowdedTap(index));
}

/** None, one, or up to six prices, short and long ones. */
function createPrices(index: number): LiveTap['prices'] {
  const count = index % 6 === 5 ? 0 : [4, 1, 2, 3, 6][index % 5]!;
  return [200, 300, 330, 400, 500, 1_000].slice(0, count).map((volume, step) => ({
    serving_size_id: step + 1,
    volume_ml: volume,
    name: '',
    names: {},
    price_minor: (index % 2 === 0 ? 240 : 11_250) + 80 * step,
    currency: 'EUR',
  }));
}

function createCrowdedTap(index: number): CrowdedTap {
  const id = String(index + 1);
  const chosen = beverages[index % beverages.length]!;
  const remainMl = [29_400, 12_345, 1_180, 0, 18_000][index % 5]!;
  const tap = createTap({
    id,
    number: index + 1,
    name: index % 4 === 1 ? 'Beer garden behind the building, left' : `Tap ${id}`,
    meter_state: index % 3 === 0 ? 'simulated' : 'fault',
    meter_problem: index % 3 === 0 ? null : textProblem('The pin could not be opened.'),
    calibrated: false,
    beverage: chosen,
    keg: {
      id: index + 1,
      percent_full: remainMl / 30_000,
      volume_ml_remain: remainMl,
      full_volume_ml: 30_000,
    },
    prices: createPrices(index),
    next: index % 3 === 1 ? { keg_id: null, name: 'Midnight Stout Reserve', producer: 'Schwarz' } : null,
    temp_c: index % 2 === 0 ? 4.3 : null,
    last_drink:
      index % 7 === 3
        ? null
        : { id: 1, volume_ml: 412, pour_time: new Date().toISOString(), time_certain: true },
    pouring:
      index % 8 === 0 ? { pour_id: `p${id}`, ticks: 1_234, volume_ml: index === 0 ? 234 : 12_345 } : null,
  });
  if (index === 2) return { tap: { ...tap, keg: null, beverage: null, pouring: null }, details: null };
  if (index === 7) return { tap: { ...tap, beverage: null }, details: null };
  const hasLabel = index % 3 === 1;
  const picture = hasLabel ? { resized_url: label, thumbnail_url: label, caption: '' } : null;
  return {
    tap,
    details: {
      name: chosen.name,
      ibu: index % 4 === 0 ? null : 120,
      description: index % 5 === 4 ? '' : description,
      picture,
      producer: { origin_city: '', origin_state: '', picture: null },
    },
  };
}
