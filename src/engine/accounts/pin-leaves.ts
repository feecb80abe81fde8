import { createHash, randomBytes } from 'node:crypto';
import type { Moment } from '../../core/moment.ts';
import { sameHash } from './secrets.ts';

/** How long somebody may act on a tablet after their PIN, seconds: one correction, or a few of one table. */
const leaveS = 60;

interface Leave {
  readonly hash: Buffer;
  readonly userId: number;
  /** The PIN's own hash when it was given. */
  readonly pinHash: string;
  readonly bootId: string;
  readonly untilMonoMs: number;
}

/** Who may act on which tablet for the moment: one person each, in memory only. After a restart all type again. */
export class PinLeaves {
  readonly #leaves = new Map<number, Leave>();

  /** The token is shown here and never again; an older leave of that tablet ends. */
  open(
    tabletId: number,
    { userId, pinHash }: Pick<Leave, 'userId' | 'pinHash'>,
    { bootId, monoMs }: Moment,
  ): { readonly token: string; readonly seconds: number } {
    const token = randomBytes(32).toString('base64url');
    const untilMonoMs = monoMs + leaveS * 1_000;
    this.#leaves.set(tabletId, { hash: hashOf(token), userId, pinHash, bootId, untilMonoMs });
    return { token, seconds: leaveS };
  }

  /** The leave behind a token while it lasts, else null. */
  find(
    tabletId: number,
    token: string,
    { bootId, monoMs }: Moment,
  ): Pick<Leave, 'userId' | 'pinHash'> | null {
    const leave = this.#leaves.get(tabletId);
    if (leave === undefined || leave.bootId !== bootId || monoMs >= leave.untilMonoMs) return null;
    return sameHash(leave.hash, hashOf(token)) ? leave : null;
  }

  end(tabletId: number): void {
    this.#leaves.delete(tabletId);
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token.slice(0, 64)).digest();
