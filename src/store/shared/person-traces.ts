import { toUsernameKey } from '../../core/users/username-rules.ts';

/** What a person can be found by. */
export interface PersonTraces {
  readonly userId: number;
  /** Present and earlier usernames in the form for comparison. */
  readonly nameKeys: readonly string[];
  /** Present and earlier addresses. */
  readonly emails: readonly string[];
  readonly tokens: readonly { readonly id: number; readonly device: string; readonly value: string }[];
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Names of properties under which a token's value stands alone. */
const tokenKey = /token|value/i;

/**
 * Finds a person in stored texts and JSON. Only whole texts are compared, so that a short name is not cut out of other words.
 * A name is replaced by `#` and the user's id, which no username can be.
 */
export function createTraceFinder({ userId, nameKeys: keys, emails: addresses, tokens }: PersonTraces) {
  const nameKeys: ReadonlySet<string> = new Set(keys);
  const replacement = `#${userId}`;
  const fullTexts = tokens.flatMap(({ device, value }) =>
    [device, ...(device === 'core.onewire' ? ['onewire'] : [])].flatMap((name) =>
      ['|', '.'].map((separator) => `${name}${separator}${value}`.toLowerCase()),
    ),
  );
  const values = new Set(tokens.map(({ value }) => value.toLowerCase()));
  /** Every text that names a token, lower case. */
  const tokenTexts: ReadonlySet<string> = new Set([...fullTexts, ...values]);
  const emails = addresses.map((email) => email.toLowerCase());
  const needles = [...nameKeys, ...values, ...emails];

  const isName = (text: unknown): boolean => typeof text === 'string' && nameKeys.has(toUsernameKey(text));
  const isToken = (text: unknown): boolean => typeof text === 'string' && tokenTexts.has(text.toLowerCase());
  const isTrace = (key: string, text: string): boolean =>
    isName(text) ||
    emails.includes(text.toLowerCase()) ||
    fullTexts.includes(text.toLowerCase()) ||
    (tokenKey.test(key) && values.has(text.toLowerCase()));
  const mayNamePerson = (text: string): boolean => {
    const lower = toUsernameKey(text);
    return needles.some((needle) => lower.includes(needle));
  };

  const clean = (value: Json, key = ''): Json => {
    if (typeof value === 'string') return isTrace(key, value) ? replacement : value;
    if (Array.isArray(value)) return value.map((item: Json) => clean(item, key));
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value as JsonObject);
    return Object.fromEntries(entries.map(([name, item]) => [name, clean(item, name)]));
  };

  return {
    userId,
    replacement,
    tokenTexts,
    isName,
    isToken,
    /** Whether this is the id of one of its tokens. */
    isTokenId: (text: string): boolean => tokens.some(({ id }) => String(id) === text),
    /** Whether this value of a property names the person, its address or one of its tokens. */
    isTrace,
    /** The JSON text without the person; null when it cannot be read because it was cut. */
    cleanText(text: string | null): string | null {
      if (text === null || !mayNamePerson(text)) return text;
      const value = JSON.parse(text) as Json;
      const isCut = value !== null && typeof value === 'object' && 'cut' in value;
      return isCut ? null : JSON.stringify(clean(value));
    },
  };
}

export type TraceFinder = ReturnType<typeof createTraceFinder>;
