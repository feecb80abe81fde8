import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { normalizeToken } from '../users/resolve-user.ts';

/** A token presented to a reader. */
interface Presentment {
  readonly authDevice: string;
  readonly token: string;
  /** The controller it was presented to. */
  readonly device: string;
}

/** The token's user, or why it may not pour; the reason is shown on the display at the tap. */
type TokenCheck = { readonly user: User } | { readonly reason: string };

/** Checks a presented token, whatever its source. */
export function checkToken(
  store: Store,
  presented: Pick<Presentment, 'authDevice' | 'token'>,
  now: Moment,
): TokenCheck {
  const { device, value } = normalizeToken(presented.authDevice, presented.token);
  const token = store.tokens.find(device, value);
  if (token === null) return { reason: 'Unknown token' };
  if (!token.enabled) return { reason: 'Token is disabled' };
  if (token.expireTimeMs !== null && now.wallMs >= token.expireTimeMs) return { reason: 'Token has expired' };
  const user = token.username === null ? null : store.users.byName(token.username);
  if (user === null) return { reason: 'Token not assigned to a user' };
  if (!user.isActive) return { reason: 'This account is switched off' };
  return { user };
}

/** Records the presentment, so that staff can assign an unknown token. */
export function recordPresentment(store: Store, presented: Presentment, at: Moment): void {
  const { device: authDevice, value: tokenValue } = normalizeToken(presented.authDevice, presented.token);
  const fits = (text: string, max: number) => text !== '' && [...text].length <= max;
  if (!fits(authDevice, 64) || !fits(tokenValue, 128)) return;
  const lastTimeMs = Math.max(0, Math.round(at.wallMs));
  store.presentedTokens.note({ authDevice, tokenValue, device: presented.device, lastTimeMs });
}
