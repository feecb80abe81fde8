import type { Moment } from '../../core/clock/moment.ts';
import type { AuthToken, User } from '../../core/records.ts';
import { removeHiddenCharacters } from '../../core/rules/text-rules.ts';
import { isGuestName } from '../../core/rules/username-rules.ts';
import type { Store } from '../../store/store.ts';

/** Devices with hexadecimal values, which readers print in either case. */
const hexDevices = ['core.rfid', 'core.onewire'];

/** Normalizes a token: without hidden characters, trimmed, hex in lower case, `onewire` as its full name. */
export function normalizeToken(device: string, value: string): { device: string; value: string } {
  const trimmed = removeHiddenCharacters(device, 'line').trim();
  const name = trimmed === 'onewire' ? 'core.onewire' : trimmed;
  const text = removeHiddenCharacters(value, 'line').trim();
  return { device: name, value: hexDevices.includes(name) ? text.toLowerCase() : text };
}

/** Finds a token by its text: `<device>|<value>` or `<device>.<value>`; the device may contain dots. */
export function findToken(store: Store, text: string): AuthToken | null {
  const bar = text.indexOf('|');
  if (bar >= 0) {
    const { device, value } = normalizeToken(text.slice(0, bar), text.slice(bar + 1));
    return store.tokens.find(device, value);
  }
  const dotted = text.trim();
  const device = ['onewire', ...hexDevices].find((name) => dotted.startsWith(`${name}.`));
  if (device === undefined) return store.tokens.findDotted(dotted);
  const normalized = normalizeToken(device, dotted.slice(device.length + 1));
  return store.tokens.find(normalized.device, normalized.value);
}

/** Resolves the user of a pour by name, else by the presented token. An unknown name is kept as a claim. */
export function resolveUser(
  store: Store,
  claim: { readonly username: string | null; readonly authToken: string | null },
  now: Moment,
): { readonly userId: number | null; readonly claimedUsername: string | null } {
  if (!isAnonymous(claim.username)) {
    const user = store.users.byName(claim.username);
    return { userId: user?.id ?? null, claimedUsername: user ? null : claim.username };
  }
  const user = claim.authToken === null ? null : findTokenUser(store, claim.authToken, now);
  return { userId: user?.id ?? null, claimedUsername: null };
}

/** True if no user is named: no name, an empty one or `guest`. */
export const isAnonymous = (username: string | null): username is null =>
  username === null || isGuestName(username);

function findTokenUser(store: Store, text: string, now: Moment): User | null {
  const token = findToken(store, text) ?? findUniqueToken(store, text.trim());
  if (token?.username == null || !token.enabled) return null;
  if (token.expireTimeMs !== null && now.wallMs >= token.expireTimeMs) return null;
  const user = store.users.byName(token.username);
  return user?.isActive ? user : null;
}

/** A bare value identifies a token only when no other device has the same value. */
function findUniqueToken(store: Store, value: string): AuthToken | null {
  const exact = store.tokens.findByValue(value);
  const tokens = exact.length > 0 ? exact : store.tokens.findByValue(value.toLowerCase());
  return tokens.length === 1 ? tokens[0]! : null;
}
