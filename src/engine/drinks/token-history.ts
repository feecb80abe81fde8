import type { SeenToken } from '../../core/access/seen-token.ts';
import { normalizeToken } from '../../core/access/token-value.ts';
import type { AuthToken, Drink } from '../../core/records.ts';
import type { StoredGrant } from '../../store/access/grants-table.ts';
import type { EngineParts } from '../shared/parts.ts';

/** What is shown of each kind; older uses are counted only. */
const maxShown = 20;

/** Where a token was presented, and what was poured with it. */
export interface TokenHistory {
  /** Its latest presentment; null when it was not presented lately. */
  readonly seen: SeenToken | null;
  /** The newest permissions to pour, newest first. */
  readonly grants: readonly StoredGrant[];
  /** The newest drinks, newest first, whoever has them. */
  readonly drinks: readonly Drink[];
  /** Number of all drinks with it. */
  readonly drinkCount: number;
}

/** The history of auth tokens, for staff. */
export const createTokenHistory = ({ store }: EngineParts) => ({
  of({ authDevice, tokenValue, otherValues }: AuthToken): TokenHistory {
    // A controller may send the value alone.
    const values = [tokenValue, ...otherValues];
    const texts = values.flatMap((value) => [`${authDevice}|${value}`, value]);
    const seen = [authDevice, ''].flatMap((device) =>
      values.flatMap((value) => store.access.presentedTokens.find(device, value) ?? []),
    );
    return {
      seen: seen.toSorted((one, other) => other.lastTimeMs - one.lastTimeMs)[0] ?? null,
      grants: store.access.grants.byValue(tokenValue, maxShown).filter((grant) => {
        const { device, value } = normalizeToken(grant.authDevice, grant.tokenValue);
        return device === authDevice && value === tokenValue;
      }),
      drinks: texts
        .flatMap((text) => store.drinks.byToken(text, maxShown))
        .toSorted((one, other) => other.id - one.id)
        .slice(0, maxShown),
      drinkCount: texts.reduce((sum, text) => sum + store.drinks.countByToken(text), 0),
    };
  },
});
