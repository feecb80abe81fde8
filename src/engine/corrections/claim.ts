import { KegError } from '../../core/keg-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { EngineParts } from '../parts.ts';
import { realDrink } from './about-drink.ts';
import type { Acting } from './correct.ts';
import { reassign } from './edit.ts';

/** How long after a pour a member may say that it was theirs, milliseconds. */
const claimMs = 10 * 60_000;

/** Gives a drink of nobody to the member who says it was theirs. Throws `conflict` when it is too late for that. */
export function claim(
  parts: EngineParts,
  id: number,
  { username, by }: { readonly username: string } & Acting,
  now: Moment,
): void {
  const drink = realDrink(parts.store, id);
  if (drink.username !== null) {
    throw new KegError('conflict', `Drink ${id} is somebody's already: ask staff to change that.`);
  }
  const agoMs = now.wallMs - drink.pourTimeMs;
  if (agoMs > claimMs || agoMs < -claimMs) {
    throw new KegError('conflict', `Drink ${id} was poured too long ago: ask staff to assign it.`);
  }
  reassign(parts, id, { username, ...(by === undefined ? {} : { by }) }, now);
}
