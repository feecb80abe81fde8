import { isTapClosed } from '../../../core/taps/tap-state.ts';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import type { BeerType } from '../../../web/api/generated.ts';
import {
  barTime,
  type FormattedPrice,
  formatBarTime,
  formatQuantity,
  formatServingPrice,
  percent,
  strength,
  temperature,
  volume,
} from '../../../web/app/format.ts';
import { t } from '../../../web/locales/locale.ts';
import type { KioskOptions } from './kiosk-options.ts';

/** What is left in a keg. */
interface LevelTexts {
  /** Share of the keg, 0…1. */
  readonly share: number;
  readonly isLow: boolean;
  readonly left: string;
  /** Percent, or that the keg is nearly empty. */
  readonly note: string;
}

/** All texts of a tile; null where there is nothing to show. */
export interface TileTexts {
  readonly name: string;
  readonly maker: string | null;
  readonly facts: string | null;
  readonly description: string | null;
  /** One for each serving size, in the order of the menu. */
  readonly prices: readonly FormattedPrice[];
  readonly level: LevelTexts | null;
  readonly foot: string | null;
}

interface TileSource {
  readonly tap: LiveTap;
  /** Details of the beverage; null until they are loaded and for a keg without beverage. */
  readonly beverage: BeerType | null;
  readonly snapshot: SnapshotMessage;
  readonly options: KioskOptions;
  /** Volume of the running pour, mL. */
  readonly pouredMl: number;
  readonly showsDrinkers: boolean;
}

/** Writes the texts of a tile in the page's language. */
export function writeTileTexts(source: TileSource): TileTexts {
  const { tap, beverage, snapshot, options } = source;
  const { hide } = options;
  const { producer = '', style = null } = tap.beverage ?? {};
  if (isTapClosed(tap.state))
    return { ...noTexts, name: t(`menu.closed.${tap.state}`), foot: writeNext(source) };
  return {
    name: tap.beverage?.name ?? t(tap.keg ? 'kegs.unnamedBeer' : 'kiosk.nothingOnTap'),
    maker: joinTexts([producer, style]),
    facts: writeFacts(source),
    description: hide.has('description') ? null : beverage?.description.trim() || null,
    prices:
      tap.keg && !hide.has('price') ? tap.prices.map((price) => formatServingPrice(price, snapshot)) : [],
    level: hide.has('level') ? null : writeLevel(source),
    foot: writeFoot(source),
  };
}

function writeFacts({ tap, beverage, snapshot, options }: TileSource): string | null {
  const abv = tap.beverage?.abv ?? null;
  const ibu = beverage?.ibu ?? null;
  const isTempShown =
    tap.keg !== null && tap.temp_c !== null && !tap.temp_stale && !options.hide.has('temperature');
  return joinTexts(
    [
      abv === null ? null : strength(abv),
      ibu === null ? null : t('menu.ibu', { ibu: String(Math.round(ibu)) }),
      isTempShown ? formatQuantity(temperature(tap.temp_c ?? 0, snapshot)) : null,
    ].map((fact) => fact?.replaceAll(' ', '\u00a0')),
  );
}

function writeLevel({ tap: { keg }, snapshot, pouredMl }: TileSource): LevelTexts | null {
  if (keg === null) return null;
  // A pour is recorded when it ends; the level shown falls while it runs.
  const leftMl = keg.volume_ml_remain - pouredMl;
  const share = Math.min(
    1,
    Math.max(0, keg.full_volume_ml > 0 ? leftMl / keg.full_volume_ml : keg.percent_full),
  );
  if (leftMl <= 0) return { share: 0, isLow: true, left: t('menu.left.gone'), note: '' };
  const isLow = share <= snapshot.keg_low_share;
  return {
    share,
    isLow,
    left: t('kiosk.left', { volume: formatQuantity(volume(leftMl, snapshot)) }),
    note: isLow ? t('kegs.nearlyEmpty') : t('units.percent', { percent: percent(share) }),
  };
}

const noTexts = { maker: null, facts: null, description: null, prices: [], level: null } as const;

const writeNext = ({ tap, options: { hide } }: TileSource): string | null =>
  tap.next && !hide.has('next') ? t('taps.nextOnTap', { beer: tap.next.name }) : null;

/** The next beer, else the last pour. */
function writeFoot(source: TileSource): string | null {
  const { tap, snapshot, options, showsDrinkers } = source;
  const { hide, drinkers } = options;
  const next = writeNext(source);
  if (next !== null) return next;
  const last = tap.last_drink;
  if (!last || !tap.keg || hide.has('pours') || !last.time_certain) return null;
  const user = snapshot.drinks.find(({ id }) => id === last.id)?.user_id ?? null;
  const time = formatBarTime(barTime(last.pour_time, snapshot));
  return joinTexts([
    t('taps.lastPour', { time }),
    formatQuantity(volume(last.volume_ml, snapshot)),
    drinkers && showsDrinkers ? user : null,
  ]);
}

/** Joins the texts that are there, so that no line begins with the dot; null without any. */
export const joinTexts = (texts: readonly (string | null | undefined)[]): string | null =>
  texts.filter(Boolean).join('\u00a0· ') || null;

/** The name of a tap beside its number; empty if it says no more than the number. */
export function nameBesideNumber(name: string, number: string): string {
  return name.replace(/[\s#.°]/g, '') === number ? '' : name;
}
