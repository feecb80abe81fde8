import { percentFull, remainingMl } from '../../../core/kegs/keg-volume.ts';
import type { Beverage, Drink } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { BeveragePayload } from './payload-schemas.ts';

/** Converts to litres with a resolution of a millilitre, so that rounding errors of sums publish nothing. */
export const toLitres = (volumeMl: number): number => Math.round(volumeMl) / 1_000;

/** A volume in millilitres with one decimal. */
export const roundMl = (volumeMl: number): number => Math.round(volumeMl * 10) / 10;

export const toIso = (wallMs: number): string => new Date(wallMs).toISOString();

/** What is left in a keg; never negative, although a keg may hold more than it says. */
export function toKegLevel(keg: Parameters<typeof remainingMl>[0]) {
  return {
    remaining_l: Math.max(0, toLitres(remainingMl(keg))),
    percent: Math.round(Math.min(100, Math.max(0, percentFull(keg) * 100)) * 10) / 10,
  };
}

export function toBeverage(beverage: Beverage, engine: Engine): BeveragePayload {
  const { baseUrl } = engine.notifications.mail.settings();
  return {
    name: beverage.name,
    producer: beverage.producer.name,
    style: beverage.style,
    abv_percent: beverage.abvPercent,
    picture_url:
      beverage.picture === null || baseUrl === ''
        ? null
        : `${baseUrl}/api/pictures/${beverage.picture.name}-128.jpg`,
  };
}

/** Who drank it, only where names are published. */
export const toUser = (drink: Pick<Drink, 'username'> | null, publishesNames: boolean) =>
  publishesNames ? { user: drink?.username ?? null } : {};
