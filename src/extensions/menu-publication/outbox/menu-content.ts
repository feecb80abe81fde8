import { type RemainingState, remainingState } from '../../../core/kegs/remaining.ts';
import { isTapClosed } from '../../../core/taps/tap-state.ts';
import type { Engine } from '../../../engine/engine.ts';

/** The size of the pictures that are published, pixels. */
const pictureSize = 1024;

/** The menu as guests read it, without anything about who drank. Also the content of `menu.json`. */
export interface MenuContent {
  readonly title: string;
  /** Name of the logo's file; null without one. */
  readonly logo: string | null;
  readonly allergen_note: string;
  readonly taps: readonly MenuTap[];
}

export interface MenuTap {
  readonly number: number;
  readonly name: string;
  /** Set while nobody may drink what comes out of the tap; then it offers no beer. */
  readonly closed: 'cleaning' | 'blocked' | null;
  /** Null for a keg without a beverage, for an empty tap, and for a closed one. */
  readonly beer: MenuBeer | null;
  /** Null without a keg. */
  readonly left: RemainingState | null;
  /** In the sizes that the tap offers; empty without a keg and without prices. */
  readonly prices: readonly MenuPrice[];
  /** What comes next, where announced. */
  readonly next: { readonly name: string; readonly producer: string } | null;
}

export interface MenuBeer {
  readonly name: string;
  readonly producer: string;
  /** City or state of the producer; empty when unknown. */
  readonly origin: string;
  readonly style: string | null;
  /** Alcohol by volume, per cent. */
  readonly abv: number | null;
  /** International bitterness units. */
  readonly ibu: number | null;
  /** `#rrggbb`. */
  readonly color: string;
  readonly description: string;
  readonly allergens: string;
  /** Name of its picture's file; null without one. */
  readonly picture: string | null;
}

export interface MenuPrice {
  readonly volume_ml: number;
  /** Empty: the volume is its name. */
  readonly name: string;
  /** Names in further languages, by language tag. */
  readonly names: Readonly<Record<string, string>>;
  /** In the smallest unit of the currency. */
  readonly price_minor: number;
  readonly currency: string;
}

/** Reads the menu: the taps with a keg or an announced beer, in their order. */
export function readMenu(engine: Engine): MenuContent {
  const site = engine.users.site();
  const logo = engine.site.logo();
  return {
    title: site.title,
    logo: logo && pictureFile(logo.name),
    allergen_note: site.allergenNote,
    taps: engine.taps
      .list()
      .filter(({ keg, next }) => keg !== null || next !== null)
      .map(({ tap, state, keg, beverage, next, prices }) => {
        const closed = isTapClosed(state) ? state : null;
        return {
          number: tap.number,
          name: tap.name,
          closed,
          beer: closed === null && beverage !== null ? toMenuBeer(beverage) : null,
          left: closed === null && keg !== null ? toRemaining(keg) : null,
          prices: keg === null ? [] : prices.map(toMenuPrice),
          next: next && { name: next.beverage.name, producer: next.beverage.producer.name },
        };
      }),
  };
}

type TapView = ReturnType<Engine['taps']['list']>[number];

function toMenuBeer(beverage: NonNullable<TapView['beverage']>): MenuBeer {
  const { producer } = beverage;
  const picture = beverage.picture ?? producer.picture;
  return {
    name: beverage.name,
    producer: producer.name,
    origin: producer.originCity || producer.originState,
    style: beverage.style,
    abv: beverage.abvPercent,
    ibu: beverage.ibu,
    color: beverage.colorHex,
    description: beverage.description,
    allergens: beverage.allergens,
    picture: picture && pictureFile(picture.name),
  };
}

function toRemaining(keg: NonNullable<TapView['keg']>): RemainingState {
  const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
  return remainingState(keg.fullVolumeMl > 0 ? remainMl / keg.fullVolumeMl : 0, remainMl);
}

const toMenuPrice = (price: TapView['prices'][number]): MenuPrice => ({
  volume_ml: price.volumeMl,
  name: price.name,
  names: price.names,
  price_minor: price.priceMinor,
  currency: price.currency,
});

const pictureFile = (name: string): string => `${name}-${pictureSize}.jpg`;

/** The names of the pictures that the menu shows, each once, with the paths of their files. */
export function listPictures(engine: Engine, menu: MenuContent): ReadonlyMap<string, string> {
  const names = [menu.logo, ...menu.taps.map(({ beer }) => beer?.picture ?? null)];
  return new Map(
    names.flatMap((name) => {
      const path = name && engine.pictures.file(name.slice(0, -`-${pictureSize}.jpg`.length), pictureSize);
      return name && path ? [[name, path] as const] : [];
    }),
  );
}
