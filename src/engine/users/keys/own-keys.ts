import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { User } from '../../../core/records.ts';
import { newestRows } from '../../../store/shared/slice.ts';
import type { Store } from '../../../store/store.ts';
import type { KeyRecord } from '../../../store/users/keys-table.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { requireFound, validateText } from '../../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../../shared/paging.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { newKey, toStoredKey } from '../secrets.ts';
import { logKey, removeKey } from './end-keys.ts';
import type { KeyUses } from './key-uses.ts';

export type { KeyRecord } from '../../../store/users/keys-table.ts';

/** A new key: its secret is returned only here. */
interface NewKey {
  readonly key: KeyRecord;
  readonly secret: string;
}

interface KeyChange {
  readonly description?: string;
  readonly isActive?: boolean;
}

/** Enough for the kegboards, tablets and scripts of a large bar. */
const maxKeys = 100;

/** A user's own API keys. Those of others are `not_found`. Every change is in the audit log. */
export function createOwnKeys(parts: EngineParts, uses: KeyUses) {
  const { store } = parts;

  const createKey = (user: User, { description = '', isActive = true }: KeyChange, context: ActorContext) => {
    if (store.users.keys.countByUser(user.id) >= maxKeys) {
      throw new AppError('conflict', `An account may have at most ${maxKeys} keys: delete some first.`, {
        reason: { name: 'too_many_entries', what: 'keys', most: maxKeys },
      });
    }
    const { key, secret } = addKey(store, user, validateDescription(description), context.now);
    if (!isActive) store.users.keys.change(key.id, { description: key.description, isActive });
    const created = store.users.keys.byId(key.id)!;
    logKey(store, 'user.key_created', { user, after: created }, context);
    return { key: created, secret };
  };

  return {
    list: (userId: number, page: PageRequest): Page<KeyRecord> =>
      readPage(page, store.users.keys.countByUser(userId), (slice) =>
        store.users.keys.pageByUser(userId, slice).map(uses.withUse),
      ),
    get: (userId: number, keyId: number): KeyRecord => uses.withUse(requireOwn(store, userId, keyId)),

    /** `conflict` beyond 100 keys. */
    create: (user: User, key: KeyChange, context: ActorContext): NewKey =>
      change(parts, () => createKey(user, key, context)),

    change: (
      user: User,
      keyId: number,
      { description, isActive }: KeyChange,
      context: ActorContext,
    ): KeyRecord =>
      change(parts, () => {
        const before = requireOwn(store, user.id, keyId);
        store.users.keys.change(keyId, {
          description: description === undefined ? before.description : validateDescription(description),
          isActive: isActive ?? before.isActive,
        });
        const after = requireOwn(store, user.id, keyId);
        if (after.isActive !== before.isActive || after.description !== before.description)
          logKey(store, changeAction(before, after), { user, before, after }, context);
        return uses.withUse(after);
      }),

    remove: (user: User, keyId: number, context: ActorContext): void =>
      change(
        parts,
        () => {
          const key = requireOwn(store, user.id, keyId);
          removeKey(store, key);
          logKey(store, 'user.key_deleted', { user, before: key }, context);
        },
        'removal',
      ),

    /**
     * A new secret for the user's only key, or a first key. `conflict` when there are several, because it is
     * unknown which one is meant.
     */
    regenerate: (user: User, context: ActorContext): NewKey =>
      change(parts, () => {
        const [key, another] = store.users.keys.pageByUser(user.id, newestRows(2));
        if (key === undefined) return createKey(user, {}, context);
        if (another !== undefined) {
          throw new AppError(
            'conflict',
            'You have several keys: create a new one, and delete the one it replaces.',
          );
        }
        const { description, isActive } = key;
        removeKey(store, key);
        logKey(store, 'user.key_deleted', { user, before: key }, context);
        return createKey(user, { description, isActive }, context);
      }),
  };
}

/** Stores a new key; call it inside a transaction. */
export function addKey(store: Store, { id: userId }: User, description: string, now: Moment): NewKey {
  const secret = newKey();
  const createdTimeMs = Math.max(0, Math.round(now.wallMs));
  const id = store.users.keys.add({ userId, ...toStoredKey(secret), description, createdTimeMs });
  store.provisionalTimes.note('key_created', id, now);
  return { key: store.users.keys.byId(id)!, secret };
}

const changeAction = (before: KeyRecord, after: KeyRecord): string => {
  if (before.isActive === after.isActive) return 'user.key_changed';
  return after.isActive ? 'user.key_enabled' : 'user.key_disabled';
};

function requireOwn(store: Store, userId: number, keyId: number): KeyRecord {
  const key = store.users.keys.byId(keyId);
  return requireFound(key?.userId === userId ? key : null, 'such key of yours');
}

export const validateDescription = (text: string): string =>
  validateText('description', text, { min: 0, max: 256 });
