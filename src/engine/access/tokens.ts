import { similarForms } from '../../core/access/card-text.ts';
import { isUnreadableToken, normalizeToken, printedForm } from '../../core/access/token-value.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { AuthToken } from '../../core/records.ts';
import type { TokenFields, TokenFilter } from '../../store/access/tokens-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange, toActorContext } from '../shared/actor-context.ts';
import type { Actor } from '../shared/audit.ts';
import { requireFound, validateNumber, validateText, validationError } from '../shared/bounds.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import type { EngineParts } from '../shared/parts.ts';

/** Editable fields of a token. */
interface TokenRequest {
  readonly device: string;
  readonly value: string;
  readonly niceName?: string;
  /** Stored but never returned; empty removes it. */
  readonly pin?: string;
  /** Its owner; null for none. */
  readonly username?: string | null;
  /** Default true. */
  readonly enabled?: boolean;
  /** null: never expires. */
  readonly expireTimeMs?: number | null;
  /** Further values under which readers send the same token; replaces those of before. */
  readonly otherValues?: readonly string[];
}

/** Other values of one token. */
const maxOtherValues = 8;

/** Tokens of which a card may be another form. */
const maxSimilar = 5;

/** Filters for tokens; absent ones do not filter. */
interface TokenQuery extends PageRequest, Omit<TokenFilter, 'userId' | 'nowMs'> {
  /** An unknown name gives an empty list. */
  readonly username?: string;
}

/** Closes taps of other controllers; our own taps check every second whether a token is still valid. */
export interface TapCloser {
  endUserGrants(
    username: string,
    now: Moment,
    token: { readonly device: string; readonly value: string },
  ): void;
}

/** Tokens that people present at the tap. */
export function createTokens(parts: EngineParts, closer?: TapCloser) {
  const { store } = parts;
  /** Runs a change of a token, and closes its taps when it is no longer valid. */
  const closingTaps = <T>(id: number, context: ActorContext | undefined, work: () => T): T => {
    const before = store.access.tokens.byId(id);
    const result = work();
    if (before?.enabled && before.username !== null && context !== undefined) {
      const after = store.access.tokens.find(before.authDevice, before.tokenValue);
      const token = { device: before.authDevice, value: before.tokenValue };
      if (!after?.enabled) closer?.endUserGrants(before.username, context.now, token);
    }
    return result;
  };
  const entry = (action: string, id: number) => ({
    action,
    kind: 'token',
    id,
    // The value opens taps, so it is not logged.
    snapshot(tokenId: number) {
      const {
        tokenValue: _secret,
        lastSeen: _seen,
        otherValues,
        ...visible
      } = store.access.tokens.byId(tokenId) ?? { tokenValue: null, lastSeen: null, otherValues: [] };
      return 'id' in visible ? { ...visible, otherValues: otherValues.length } : null;
    },
  });
  return {
    /** `now` is needed for a filter by state. */
    list: (query: TokenQuery, now?: Moment): Page<AuthToken> =>
      tokenPage(store, now === undefined ? query : { ...query, nowMs: Math.round(now.wallMs) }),

    /** Device and value together are unique; duplicates are refused. Hexadecimal values become lower case. */
    create: (token: TokenRequest, now: Moment, actor?: Actor): AuthToken =>
      auditedChange(
        parts,
        toActorContext(actor, now),
        { ...entry('token.created', 0), id: (created: AuthToken) => created.id },
        () => {
          const validated = validateToken(store, { ...newToken, ...toTokenFields(store, token) });
          const otherValues = readOtherValues(store, validated, {
            given: token.otherValues ?? [],
            entered: token.value,
          });
          const added = store.access.tokens.add({ ...validated, createdTimeMs: Math.round(now.wallMs) });
          store.access.tokens.setForms(added.id, otherValues);
          store.provisionalTimes.note('token_created', added.id, now);
          return { ...added, otherValues };
        },
      ),

    /** The tokens of which this unknown value may be another form: reversed bytes, more or fewer bytes, the printed number. */
    similar(authDevice: string, value: string): readonly AuthToken[] {
      const forms = similarForms(value);
      return store.access.tokens
        .similar(authDevice, [value, ...forms], maxSimilar * 4)
        .filter(({ tokenValue }) => forms.includes(tokenValue) || similarForms(tokenValue).includes(value))
        .slice(0, maxSimilar);
    },

    /** Disabling it closes the taps it has opened. */
    change: (id: number, token: Partial<TokenRequest>, context?: ActorContext): AuthToken =>
      closingTaps(id, context, () =>
        auditedChange(parts, context, entry('token.changed', id), () => {
          const current = requireFound(store.access.tokens.fields(id), 'token of that device and value');
          const before = store.access.tokens.byId(id)!;
          const changed = validateToken(store, { ...current, ...toTokenFields(store, token) }, id);
          const given = token.otherValues ?? before.otherValues;
          const otherValues = readOtherValues(store, changed, { given, before, entered: token.value });
          store.access.tokens.change(id, changed);
          store.access.tokens.setForms(id, otherValues);
          return store.access.tokens.byId(id)!;
        }),
      ),

    /**
     * Closes taps it has opened; drinks poured with it stay. With a context the returned id of the log entry undoes it, else
     * null is returned.
     */
    remove(id: number, context?: ActorContext): number | null {
      const image = requireFound(store.access.tokens.image(id), 'token of that device and value');
      let correctionId: number | null = null;
      const logged = (entryId: number) => {
        const [before, after] = [JSON.stringify(image), '{}'];
        addCorrection(parts, { id: entryId, kind: 'token', before, after });
        correctionId = entryId;
      };
      closingTaps(id, context, () =>
        auditedChange(parts, context, { ...entry('token.deleted', id), logged }, () => {
          store.provisionalTimes.clear('token_created', id);
          store.access.tokens.remove(id);
        }),
      );
      return correctionId;
    },
  };
}

/**
 * The other values of a token, normalized. A number of ten digits that a person entered is printed on the card; readers
 * send its bytes. Where a board has presented it, it is five bytes.
 */
function readOtherValues(
  store: Store,
  { authDevice, tokenValue }: TokenFields,
  {
    given,
    before,
    entered = '',
  }: {
    readonly given: readonly string[];
    readonly before?: AuthToken;
    /** The value as it was entered: what says that it is hexadecimal is no printed number. */
    readonly entered?: string | undefined;
  },
): readonly string[] {
  const isNew = before?.authDevice !== authDevice || before.tokenValue !== tokenValue;
  const isPrinted = /^\d+$/.test(entered.trim()) && !store.access.presentedTokens.has(authDevice, tokenValue);
  // Not as it was entered: spreadsheets drop a leading zero.
  const printed = isPrinted ? printedForm(authDevice, tokenValue) : null;
  const earlier = isNew && before !== undefined ? printedForm(before.authDevice, before.tokenValue) : null;
  const values = new Set(
    given.filter((value) => value !== earlier).map((value) => checkValue('other_values', authDevice, value)),
  );
  if (isNew && printed !== null) values.add(printed);
  values.delete(tokenValue);
  if (values.size > maxOtherValues)
    throw validationError('other_values', `must be at most ${maxOtherValues} values`, {
      name: 'at_most',
      most: maxOtherValues,
    });
  for (const value of values) {
    const other = store.access.tokens.find(authDevice, value);
    if (other !== null && other.id !== before?.id)
      throw validationError(
        value === printed ? 'token_value' : 'other_values',
        'exists already for this device',
        {
          name: 'already_exists',
        },
      );
  }
  return [...values];
}

function checkValue(field: string, device: string, text: string): string {
  const { value } = normalizeToken(device, text);
  if (isUnreadableToken(device, value) && value !== '')
    throw validationError(field, 'must be the number of a card', { name: 'card_number' });
  return validateText(field, value, { max: 128 });
}

const newToken: Omit<TokenFields, 'authDevice' | 'tokenValue'> = {
  niceName: '',
  pin: '',
  userId: null,
  enabled: true,
  expireTimeMs: null,
};

/** The fields of a request, with the owner resolved. */
function toTokenFields<T extends Partial<TokenRequest>>(store: Store, token: T) {
  const { device, value, username, otherValues: _forms, ...rest } = token;
  return {
    ...rest,
    ...omitUndefined({
      authDevice: device,
      tokenValue: value,
      userId: username === undefined ? undefined : username === null ? null : requireOwnerId(store, username),
    }),
  } as Partial<TokenFields> &
    (T extends TokenRequest ? Pick<TokenFields, 'authDevice' | 'tokenValue'> : unknown);
}

function requireOwnerId(store: Store, username: string): number {
  const user = store.users.byName(username);
  if (user === null)
    throw validationError('user', 'must be the name of an account', { name: 'exists', what: 'account' });
  return user.id;
}

/** Validates a token and its uniqueness; `ownId` is the token being changed. */
function validateToken(store: Store, token: TokenFields, ownId?: number): TokenFields {
  const normalized = normalizeToken(token.authDevice, token.tokenValue);
  const { expireTimeMs } = token;
  const checked = {
    authDevice: validateText('auth_device', normalized.device, { max: 64 }),
    tokenValue: checkValue('token_value', normalized.device, token.tokenValue),
    niceName: validateText('nice_name', token.niceName, { min: 0, max: 256 }),
    pin: validateText('pin', token.pin, { min: 0, max: 256 }),
    userId: token.userId,
    enabled: token.enabled,
    expireTimeMs:
      expireTimeMs === null
        ? null
        : validateNumber('expire_time', expireTimeMs, { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true }),
  };
  // A bar separates device and value in the token's id, so the device must not contain one.
  if (checked.authDevice.includes('|')) throw validationError('auth_device', 'must not contain a bar');
  const other = store.access.tokens.find(checked.authDevice, checked.tokenValue);
  if (other !== null && other.id !== ownId)
    throw validationError('token_value', 'exists already for this device', { name: 'already_exists' });
  return checked;
}

function tokenPage(store: Store, query: TokenQuery & Pick<TokenFilter, 'nowMs'>): Page<AuthToken> {
  const { start: _start, limit: _limit, username, ...filters } = query;
  const userId = username === undefined ? undefined : store.users.byName(username)?.id;
  if (username !== undefined && userId === undefined) return readPage(query, 0, () => []);
  const filter = {
    ...filters,
    ...omitUndefined({
      userId,
      authDevice:
        filters.authDevice === undefined ? undefined : normalizeToken(filters.authDevice, '').device,
    }),
  };
  return readPage(query, store.access.tokens.count(filter), (slice) =>
    store.access.tokens.page(filter, slice),
  );
}
