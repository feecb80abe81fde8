import { createHash, randomBytes } from 'node:crypto';
import type { Moment } from '../../core/moment.ts';
import { sameHash } from './secrets.ts';

/** How long somebody may act on a tablet after their PIN, seconds: one correction, or a few of one table. */
const unlockS = 60;

interface PinUnlock {
  readonly hash: Buffer;
  readonly userId: number;
  /** The PIN's own hash when it was given. */
  readonly pinHash: string;
  readonly bootId: string;
  readonly untilMonoMs: number;
}

/** Who may act on which tablet for the moment: one person each, in memory only. After a restart all type again. */
export class PinUnlocks {
  readonly #unlocks = new Map<number, PinUnlock>();

  /** The token is shown here and never again; an older leave of that tablet ends. */
  open(
    tabletId: number,
    { userId, pinHash }: Pick<PinUnlock, 'userId' | 'pinHash'>,
    { bootId, monoMs }: Moment,
  ): { readonly token: string; readonly seconds: number } {
    const token = randomBytes(32).toString('base64url');
    const untilMonoMs = monoMs + unlockS * 1_000;
    this.#unlocks.set(tabletId, { hash: hashOf(token), userId, pinHash, bootId, untilMonoMs });
    return { token, seconds: unlockS };
  }

  /** The leave behind a token while it lasts, else null. */
  find(
    tabletId: number,
    token: string,
    { bootId, monoMs }: Moment,
  ): Pick<PinUnlock, 'userId' | 'pinHash'> | null {
    const unlock = this.#unlocks.get(tabletId);
    if (unlock === undefined || unlock.bootId !== bootId || monoMs >= unlock.untilMonoMs) return null;
    return sameHash(unlock.hash, hashOf(token)) ? unlock : null;
  }

  end(tabletId: number): void {
    this.#unlocks.delete(tabletId);
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token.slice(0, 64)).digest();
