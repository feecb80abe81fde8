import { isBlankCard } from '../../core/access/card-text.ts';
import { isUnreadableToken, normalizeToken, readCardNumber } from '../../core/access/token-value.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { AuthToken, User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { isKnownToken, splitToken } from '../users/resolve-user.ts';

/** A token presented to a reader. */
interface Presentment {
  readonly authDevice: string;
  readonly token: string;
  /** The controller it was presented to. */
  readonly device: string;
  /** What the reader sent, where it is more than the token. */
  readonly raw?: string;
}

/** The token with its user, or why it may not pour; the reason is shown on the display at the tap. */
type TokenCheck = { readonly user: User; readonly token: AuthToken } | { readonly reason: string };

/** Checks a presented token, whatever its source. */
export function checkToken(
  store: Store,
  presented: Pick<Presentment, 'authDevice' | 'token'>,
  now: Moment,
): TokenCheck {
  const { device, value } = normalizeToken(presented.authDevice, presented.token);
  if (isUnreadableToken(device, value)) return { reason: 'The card could not be read' };
  const token = store.access.tokens.find(device, value);
  if (token === null) return { reason: 'Unknown token' };
  if (!token.enabled) return { reason: 'Token is disabled' };
  if (token.expireTimeMs !== null && now.wallMs >= token.expireTimeMs) return { reason: 'Token has expired' };
  const user = token.username === null ? null : store.users.byName(token.username);
  if (user === null) return { reason: 'Token not assigned to a user' };
  if (!user.isActive) return { reason: 'This account is switched off' };
  return { user, token };
}

/** Records the presentment, so that staff can assign an unknown token. */
export function recordPresentment(store: Store, presented: Presentment, at: Moment): void {
  const token = normalizeToken(presented.authDevice, presented.token);
  const sent = presented.token.trim();
  const raw = presented.raw ?? (sent.toLowerCase() === token.value ? null : sent);
  if (token.device !== '') note(store, { ...token, raw }, presented.device, at);
}

/**
 * Records the token of a pour without a user like a presentment if no auth token matches it. `isPresented`: the controller
 * reports presentments too, so that one of this token is not counted twice.
 */
export function recordPouredToken(
  store: Store,
  poured: { readonly authToken: string; readonly device: string; readonly isPresented: boolean },
  at: Moment,
): void {
  if (isKnownToken(store, poured.authToken)) return;
  const { device, value } = splitToken(poured.authToken);
  // A value alone is a card's number where it can be read as one.
  const token = {
    device: device ?? '',
    value: device === null ? (readCardNumber(value) ?? value) : value,
    raw: null,
  };
  if (poured.isPresented && store.access.presentedTokens.has(token.device, token.value)) return;
  note(store, token, poured.device, at);
}

function note(
  store: Store,
  token: { readonly device: string; readonly value: string; readonly raw: string | null },
  device: string,
  at: Moment,
): void {
  const fits = (text: string, max: number) => [...text].length <= max;
  if (token.device === '' ? isBlankCard(token.value) : isUnreadableToken(token.device, token.value)) return;
  if (token.value === '') return;
  if (!fits(token.device, 64) || !fits(token.value, 128)) return;
  const where = [...device].slice(0, 128).join('');
  const lastTimeMs = Math.max(0, Math.round(at.wallMs));
  store.access.presentedTokens.note({
    authDevice: token.device,
    tokenValue: token.value,
    raw: token.raw === null ? null : [...token.raw].slice(0, 64).join(''),
    device: where,
    lastTimeMs,
  });
}
