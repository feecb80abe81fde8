import { createHash, randomBytes } from 'node:crypto';
import type { Moment } from '../../../core/clock/moment.ts';
import { sameHash } from '../secrets.ts';

/** How long a PIN unlock on a tablet lasts, seconds: enough for one correction or a few. */
const unlockS = 60;

interface PinUnlock {
  readonly hash: Buffer;
  readonly userId: number;
  /** Hash of the PIN at the time of the unlock. */
  readonly pinHash: string;
  readonly bootId: string;
  readonly untilMonoMs: number;
}

/** Current PIN unlocks, one per tablet, in memory only. A restart ends them all. */
export class PinUnlocks {
  readonly #unlocks = new Map<number, PinUnlock>();

  /** The token is returned only here; ends an earlier unlock of that tablet. */
  open(
    tabletId: number,
    { userId, pinHash }: Pick<PinUnlock, 'userId' | 'pinHash'>,
    { bootId, monoMs }: Moment,
  ): { readonly token: string; readonly seconds: number } {
    const token = randomBytes(32).toString('base64url');
    const untilMonoMs = monoMs + unlockS * 1_000;
    this.#unlocks.set(tabletId, { hash: hashToken(token), userId, pinHash, bootId, untilMonoMs });
    return { token, seconds: unlockS };
  }

  /** The unlock of a token while it is valid, else null. */
  find(
    tabletId: number,
    token: string,
    { bootId, monoMs }: Moment,
  ): Pick<PinUnlock, 'userId' | 'pinHash'> | null {
    const unlock = this.#unlocks.get(tabletId);
    if (unlock === undefined || unlock.bootId !== bootId || monoMs >= unlock.untilMonoMs) return null;
    return sameHash(unlock.hash, hashToken(token)) ? unlock : null;
  }

  end(tabletId: number): void {
    this.#unlocks.delete(tabletId);
  }
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token.slice(0, 64)).digest();
