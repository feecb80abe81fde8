import type { Moment } from '../../../src/core/clock/moment.ts';
import type { Actor, Engine, NewKeg } from '../../../src/engine/engine.ts';
import { longNames } from '../kit/fit.ts';

/** Languages of the sample bar. */
export type Language = 'de' | 'en';

/** A moment that many milliseconds before the bar's present time. */
export type Ago = (ms: number) => Moment;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Beer {
  readonly name: string;
  readonly brewery: string;
  readonly style: string;
  readonly abv: number;
  readonly color: string;
  readonly ibu: number;
  /** Price of half a litre in cents. */
  readonly halfLitreCents: number;
  readonly about: Readonly<Record<Language, string>>;
}

const beers: readonly Beer[] = [
  {
    name: 'Altstadt Helles',
    brewery: 'Lindenbräu',
    style: 'Helles',
    abv: 4.9,
    color: '#f2c14e',
    ibu: 18,
    halfLitreCents: 480,
    about: { de: 'Weich, malzig und schnell ausgetrunken.', en: 'Soft, bready and gone before you notice.' },
  },
  {
    name: 'Hopfenspitze',
    brewery: 'Nordlicht Brauerei',
    style: 'India Pale Ale',
    abv: 6.2,
    color: '#d9822b',
    ibu: 62,
    halfLitreCents: 620,
    about: { de: 'Grapefruit, Harz und ein trockener Abgang.', en: 'Grapefruit, resin and a dry finish.' },
  },
  {
    name: 'Kohlenkeller',
    brewery: 'Lindenbräu',
    style: 'Dry Stout',
    abv: 4.3,
    color: '#2b1b12',
    ibu: 35,
    halfLitreCents: 560,
    about: { de: 'Röstkaffee unter einer Haube aus Sahne.', en: 'Roast coffee below a cream collar.' },
  },
  {
    name: 'Rotfuchs',
    brewery: 'Waldhaus am See',
    style: 'Märzen',
    abv: 5.6,
    color: '#a4471b',
    ibu: 24,
    halfLitreCents: 520,
    about: { de: 'Kastanienrot, mit Karamell und Brotkruste.', en: 'Chestnut red, with caramel and crust.' },
  },
];

const beerOf = (index: number, isLong: boolean): NewKeg['beverage'] => {
  const { name, brewery, style, abv, color } = beers[index % beers.length]!;
  const number = index < beers.length ? '' : ` ${Math.floor(index / beers.length) + 1}`;
  return {
    name: isLong ? `${longNames.beer}${number}` : `${name}${number}`,
    producerName: isLong ? longNames.brewery : brewery,
    styleName: style,
    abvPercent: abv,
    colorHex: color,
  };
};

const sizes = ['euro-30-liter', 'euro-half', 'corny', 'sixth'] as const;

/** Anna, who may do everything, and the members Bert and Carla. */
export function addPeople(engine: Engine, at: Ago): void {
  const joined = at(60 * day);
  engine.users.addUser(
    {
      username: 'anna',
      displayName: 'Anna Albers',
      email: 'anna@example.org',
      isStaff: true,
      isSuperuser: true,
    },
    joined,
  );
  engine.users.addUser({ username: 'bert', displayName: 'Bert Brandt' }, joined);
  engine.users.addUser({ username: 'carla', displayName: 'Carla Conti', email: 'carla@example.org' }, joined);
  engine.access.tokens.create(
    { device: 'core.rfid', value: '0089F2C4', niceName: 'Blauer Anhänger', username: 'bert' },
    joined,
  );
  engine.access.tokens.create({ device: 'core.rfid', value: '00A1B2C3', enabled: false }, joined);
}

interface StockOptions {
  readonly at: Ago;
  readonly isLong: boolean;
  readonly anna: Actor;
  readonly language: Language;
}

/** Kegs on all taps but every sixth, two in stock, one finished; details and prices of the beers. */
export function addStock(engine: Engine, { at, isLong, anna, language }: StockOptions): void {
  const keg = (index: number): NewKeg => ({
    beverage: beerOf(index, isLong),
    sizeKey: sizes[index % sizes.length]!,
  });
  const finished = engine.kegs.create(keg(1), at(40 * day), anna);
  engine.kegs.end(finished.id, at(20 * day));
  const taps = engine.taps.list().map(({ tap }) => tap);
  taps.forEach((tap, index) => {
    if (index % 6 !== 5) engine.kegs.start(tap.id, keg(index), at(14 * day - index * hour), anna);
  });
  engine.kegs.create(
    { ...keg(0), notes: language === 'de' ? 'Kühlraum links' : 'Cold room, left' },
    at(3 * day),
    anna,
  );
  const next = engine.kegs.create(keg(2), at(2 * day), anna);
  if (taps[1]) engine.taps.setNext(taps[1].id, { kegId: next.id }, { actor: anna, now: at(2 * day) });
  const allergens = language === 'de' ? 'Gerstenmalz' : 'Barley malt';
  for (
    let id = 1, beverage = engine.kegs.catalogue.beverage(id);
    beverage;
    beverage = engine.kegs.catalogue.beverage(++id)
  ) {
    const beer = beers.find(({ name }) => name === beverage!.name);
    setPrices(engine, id, {
      halfLitreCents: (beer ?? beers[id % beers.length]!).halfLitreCents,
      actor: anna,
      at,
    });
    if (beer === undefined) continue;
    engine.kegs.catalogue.changeBeverage(id, { ibu: beer.ibu, description: beer.about[language], allergens });
  }
}

interface PriceOptions extends Pick<StockOptions, 'at'> {
  readonly halfLitreCents: number;
  readonly actor: Actor;
}

/** Sells a beverage in glasses of 0.3 and 0.5 L. */
function setPrices(engine: Engine, beverageId: number, { halfLitreCents, actor, at }: PriceOptions): void {
  const priceMinor: Readonly<Record<number, number>> = {
    300: Math.round(halfLitreCents * 0.065) * 10,
    500: halfLitreCents,
  };
  const prices = engine.kegs.prices.servingSizes().flatMap(({ id, volumeMl }) => {
    const price = priceMinor[volumeMl];
    return price === undefined ? [] : [{ sizeId: id, priceMinor: price }];
  });
  engine.kegs.prices.setOfBeverage(beverageId, prices, { actor, now: at(14 * day) });
}

/** Nine evenings of drinks, the last one tonight, with temperatures, a spill and a held pour. */
export function addPastDays(engine: Engine, at: Ago): void {
  const taps = engine.taps.list().filter(({ keg }) => keg !== null);
  const usernames = ['anna', 'bert', 'carla', undefined] as const;
  const pour = (index: number, ml: number, agoMs: number) => {
    const { tap } = taps[index % taps.length]!;
    const username = usernames[(index * 3) % usernames.length];
    engine.drinks.pours.report(
      {
        tap: tap.id,
        ticks: ml * 5,
        volumeMl: ml,
        durationMs: 9_000,
        source: 'post',
        ...(username !== undefined && { username }),
      },
      at(agoMs),
    );
  };
  for (let evening = 8; evening >= 0; evening -= 1) {
    const drinks = 5 + ((evening * 7) % 6);
    for (let number = 0; number < drinks; number += 1) {
      pour(
        number + evening,
        [300, 500, 400, 200][(number + evening) % 4]!,
        evening * day + (drinks - number) * 11 * minute,
      );
    }
  }
  engine.drinks.pours.report({ tap: taps[0]!.tap.id, ticks: 2_000_000, source: 'post' }, at(7 * minute));
  engine.kegs.spill(taps[0]!.keg!.id, 350, at(5 * minute));
  for (let reading = 0; reading < 48; reading += 1) {
    const tempC = 4.2 + Math.round(12 * Math.sin(reading / 4)) / 10;
    engine.temperatures.log({ sensor: '28-0000000000a1', tempC }, at((47 - reading) * 30 * minute));
  }
}
