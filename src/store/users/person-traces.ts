import { toUsernameKey } from '../../core/rules/username-rules.ts';

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
type JsonObject = { readonly [key: string]: Json };
type Rows = readonly JsonObject[];

/** What is compared of an audit entry. */
interface AuditTexts {
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Properties of audit entries that people write. */
const freeTexts = new Set(['shout', 'niceName']);

const withoutTexts = (json: string | null): string | null =>
  json && JSON.stringify(JSON.parse(json, (key, value: unknown) => (freeTexts.has(key) ? null : value)));

/** Names of properties under which a token's value stands alone. */
const tokenKey = /token|value/i;

/**
 * Removes a person from stored JSON. Only whole texts are compared, so that a short name is not cut out of other words.
 * A name is replaced by `#` and the user's id, which no username can be.
 */
export function createTraceRemover({ userId, nameKeys: keys, emails: addresses, tokens }: PersonTraces) {
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

  /** The JSON text without the person; null when it cannot be read because it was cut. */
  const cleanText = (text: string | null): string | null => {
    if (text === null || !mayNamePerson(text)) return text;
    const value = JSON.parse(text) as Json;
    const isCut = value !== null && typeof value === 'object' && 'cut' in value;
    return isCut ? null : JSON.stringify(clean(value));
  };

  const cleanCancelledDrink = (text: string): string => {
    const drink = JSON.parse(text) as JsonObject;
    const isTheirs = isName(drink.username);
    if (!isTheirs && !isName(drink.claimedUsername) && !isToken(drink.authToken)) return text;
    return JSON.stringify({
      ...drink,
      username: isTheirs ? null : drink.username!,
      shout: isTheirs ? null : drink.shout!,
      authToken: isTheirs || isToken(drink.authToken) ? null : drink.authToken!,
      claimedUsername: isName(drink.claimedUsername) ? null : drink.claimedUsername!,
    });
  };

  /** A row of `drinks`, without the person. */
  const cleanDrink = (row: JsonObject): JsonObject => {
    const isTheirs = row.user_id === userId;
    const isClaim = isTheirs || isName(row.claimed_username);
    return {
      ...row,
      ...(isTheirs ? { user_id: null, shout: null } : {}),
      ...(isTheirs || isToken(row.auth_token) ? { auth_token: null } : {}),
      ...(isClaim ? { claimed_username: null, claimed_username_key: null } : {}),
    };
  };

  return {
    nameKeys,
    replacement,
    tokenTexts,
    cleanText,
    /** Both sides of an audit entry. Comments and names of tokens go with the person whom the entry names. */
    cleanAudit({
      subject_kind,
      subject_id,
      before,
      after,
    }: AuditTexts): Pick<AuditTexts, 'before' | 'after'> {
      const cleaned = { before: cleanText(before), after: cleanText(after) };
      const isOwnToken = subject_kind === 'token' && tokens.some(({ id }) => String(id) === subject_id);
      const isNamed = isOwnToken || cleaned.before !== before || cleaned.after !== after;
      return isNamed
        ? { before: withoutTexts(cleaned.before), after: withoutTexts(cleaned.after) }
        : { before, after };
    },
    /** Whether a mail's values contain a name of the person. */
    namesPerson: (text: string): boolean =>
      Object.entries(JSON.parse(text) as JsonObject).some(
        ([key, value]) => typeof value === 'string' && isTrace(key, value),
      ),
    cleanCancelledDrink,
    /** Images of the rows of a correction; `pictures` are those of the person's drinks. */
    cleanCorrection({ before, after }: { readonly before: string; readonly after: string }) {
      const images = [before, after].map((text) => JSON.parse(text) as Readonly<Record<string, Rows>>);
      const theirDrinks = new Set(
        images.flatMap(({ drinks = [] }) =>
          drinks.filter((row) => row.user_id === userId).map((row) => row.id),
        ),
      );
      const pictures = images.flatMap(({ pictures: rows = [] }) =>
        rows.filter((row) => theirDrinks.has(row.drink_id!)).map((row) => String(row.name)),
      );
      const [cleanBefore, cleanAfter] = images.map((image) =>
        JSON.stringify({
          ...image,
          drinks: (image.drinks ?? []).map(cleanDrink),
          events: (image.events ?? []).map((row) =>
            row.user_id === userId ? { ...row, user_id: null } : row,
          ),
          pictures: (image.pictures ?? []).filter((row) => !pictures.includes(String(row.name))),
          cancelled_pours: (image.cancelled_pours ?? []).map((row) => ({
            ...row,
            drink: cleanCancelledDrink(String(row.drink)),
          })),
        }),
      );
      return { before: cleanBefore!, after: cleanAfter!, pictures };
    },
  };
}
