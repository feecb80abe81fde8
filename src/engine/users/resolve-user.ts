import { hexDevices, normalizeToken } from '../../core/access/token-value.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { AuthToken, User } from '../../core/records.ts';
import { isGuestName } from '../../core/users/username-rules.ts';
import type { Store } from '../../store/store.ts';

/** Most characters of a drink's token. */
const maxTokenText = 256;

/**
 * The form in which the token of a drink is stored and compared: `<device>|<value>`, normalized, where the text tells the
 * device, else as received.
 */
export function normalizeTokenText(text: string): string {
  const { device, value } = splitToken(text.trim());
  const normalized = device === null ? value : `${device}|${value}`;
  // The full name of a device is longer, and lower case can be.
  return [...normalized].length <= maxTokenText ? normalized : text;
}

/** Finds a token by its text: `<device>|<value>` or `<device>.<value>`; the device may contain dots. */
export function findToken(store: Store, text: string): AuthToken | null {
  const { device, value } = splitToken(text);
  return device === null ? store.access.tokens.findDotted(value) : store.access.tokens.find(device, value);
}

/** Splits a token's text, normalized. The device is null where a dot may also be part of its name. */
export function splitToken(text: string): { readonly device: string | null; readonly value: string } {
  const bar = text.indexOf('|');
  if (bar >= 0) return normalizeToken(text.slice(0, bar), text.slice(bar + 1));
  const dotted = text.trim();
  const lower = dotted.toLowerCase();
  const device = ['onewire', ...hexDevices].find((name) => lower.startsWith(`${name}.`));
  if (device === undefined) return { device: null, value: dotted };
  return normalizeToken(device, dotted.slice(device.length + 1));
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

/** Whether an auth token matches the text, also one that may not pour. */
export const isKnownToken = (store: Store, text: string): boolean =>
  findToken(store, text) !== null || findByValue(store, text.trim()).length > 0;

/** A bare value identifies a token only when no other device has the same value. */
export function findUniqueToken(store: Store, value: string): AuthToken | null {
  const tokens = findByValue(store, value);
  return tokens.length === 1 ? tokens[0]! : null;
}

function findByValue(store: Store, value: string): readonly AuthToken[] {
  const forms = [value, value.toLowerCase(), normalizeToken('core.rfid', value).value];
  for (const form of forms) {
    const tokens = store.access.tokens.findByValue(form);
    if (tokens.length > 0) return tokens;
  }
  return [];
}
