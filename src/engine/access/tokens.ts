import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { AuthToken } from '../../core/records.ts';
import type { TokenFields, TokenFilter } from '../../store/access/tokens-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange, toActorContext } from '../shared/actor-context.ts';
import type { Actor } from '../shared/audit.ts';
import { requireFound, validateNumber, validateText, validationError } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import type { EngineParts } from '../shared/parts.ts';
import { normalizeToken } from '../users/resolve-user.ts';

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
}

/** Filters for tokens; absent ones do not filter. */
interface TokenQuery extends PageRequest, Omit<TokenFilter, 'userId' | 'nowMs'> {
  /** An unknown name gives an empty list. */
  readonly username?: string;
}

/** Closes taps on kegboards; our own taps check every second whether a token is still valid. */
interface TapCloser {
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
    const before = store.tokens.byId(id);
    const result = work();
    if (before?.enabled && before.username !== null && context !== undefined) {
      const after = store.tokens.find(before.authDevice, before.tokenValue);
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
        ...visible
      } = store.tokens.byId(tokenId) ?? { tokenValue: null, lastSeen: null };
      return 'id' in visible ? visible : null;
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
          const added = store.tokens.add({ ...validated, createdTimeMs: Math.round(now.wallMs) });
          store.provisionalTimes.note('token_created', added.id, now);
          return added;
        },
      ),

    /** Disabling it closes the taps it has opened. */
    change: (id: number, token: Partial<TokenRequest>, context?: ActorContext): AuthToken =>
      closingTaps(id, context, () =>
        auditedChange(parts, context, entry('token.changed', id), () => {
          const current = requireFound(store.tokens.fields(id), 'token of that device and value');
          store.tokens.change(id, validateToken(store, { ...current, ...toTokenFields(store, token) }, id));
          return store.tokens.byId(id)!;
        }),
      ),

    /**
     * Closes taps it has opened; drinks poured with it stay. With a context the returned id of the log entry undoes it, else
     * null is returned.
     */
    remove(id: number, context?: ActorContext): number | null {
      const image = requireFound(store.tokens.image(id), 'token of that device and value');
      let correctionId: number | null = null;
      const logged = (entryId: number) => {
        const [before, after] = [JSON.stringify(image), '{}'];
        store.corrections.add({ id: entryId, kind: 'token', before, after });
        correctionId = entryId;
      };
      closingTaps(id, context, () =>
        auditedChange(parts, context, { ...entry('token.deleted', id), logged }, () => {
          store.provisionalTimes.clear('token_created', id);
          store.tokens.remove(id);
        }),
      );
      return correctionId;
    },
  };
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
  const { device, value, username, ...rest } = token;
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
    tokenValue: validateText('token_value', normalized.value, { max: 128 }),
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
  const other = store.tokens.find(checked.authDevice, checked.tokenValue);
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
  return readPage(query, store.tokens.count(filter), (slice) => store.tokens.page(filter, slice));
}
