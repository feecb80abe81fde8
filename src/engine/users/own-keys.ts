import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { newestRows } from '../../store/shared/slice.ts';
import type { Store } from '../../store/store.ts';
import type { KeyRecord } from '../../store/users/keys-table.ts';
import { requireFound, validateText } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { newKey, toStoredKey } from './secrets.ts';

export type { KeyRecord } from '../../store/users/keys-table.ts';

/** A new key: its secret is returned only here. */
interface NewKey {
  readonly key: KeyRecord;
  readonly secret: string;
}

/** Enough for the kegboards, tablets and scripts of a large bar. */
const maxKeys = 100;

/** A user's own API keys. Those of others are `not_found`. */
export function createOwnKeys(parts: EngineParts) {
  const { store } = parts;

  const createKey = (userId: number, { description = '', isActive = true }, now: Moment): NewKey => {
    if (store.keys.countByUser(userId) >= maxKeys) {
      throw new AppError('conflict', `An account may have at most ${maxKeys} keys: delete some first.`, {
        reason: { name: 'too_many_entries', what: 'keys', most: maxKeys },
      });
    }
    const secret = newKey();
    const createdTimeMs = Math.max(0, Math.round(now.wallMs));
    const id = store.keys.add({
      userId,
      ...toStoredKey(secret),
      description: validateDescription(description),
      createdTimeMs,
    });
    if (!isActive) store.keys.change(id, { description: validateDescription(description), isActive });
    store.provisionalTimes.note('key_created', id, now);
    return { key: requireOwn(store, userId, id), secret };
  };

  return {
    list: (userId: number, page: PageRequest): Page<KeyRecord> =>
      readPage(page, store.keys.countByUser(userId), (slice) => store.keys.pageByUser(userId, slice)),
    get: (userId: number, keyId: number): KeyRecord => requireOwn(store, userId, keyId),

    /** `conflict` beyond 100 keys. */
    create: (
      userId: number,
      key: { readonly description?: string; readonly isActive?: boolean },
      now: Moment,
    ): NewKey => change(parts, () => createKey(userId, key, now)),

    change: (
      userId: number,
      keyId: number,
      { description, isActive }: { readonly description?: string; readonly isActive?: boolean },
    ): KeyRecord =>
      change(parts, () => {
        const key = requireOwn(store, userId, keyId);
        store.keys.change(keyId, {
          description: description === undefined ? key.description : validateDescription(description),
          isActive: isActive ?? key.isActive,
        });
        return requireOwn(store, userId, keyId);
      }),

    remove: (userId: number, keyId: number): void =>
      change(
        parts,
        () => {
          store.keys.remove(requireOwn(store, userId, keyId).id);
          store.provisionalTimes.clear('key_created', keyId);
        },
        'removal',
      ),

    /**
     * A new secret for the user's only key, or a first key. `conflict` when there are several, because it is
     * unknown which one is meant.
     */
    regenerate: (userId: number, now: Moment): NewKey =>
      change(parts, () => {
        const [key, another] = store.keys.pageByUser(userId, newestRows(2));
        if (key === undefined) return createKey(userId, {}, now);
        if (another !== undefined) {
          throw new AppError(
            'conflict',
            'You have several keys: create a new one, and delete the one it replaces.',
          );
        }
        const { description, isActive } = key;
        store.keys.remove(key.id);
        store.provisionalTimes.clear('key_created', key.id);
        return createKey(userId, { description, isActive }, now);
      }),
  };
}

function requireOwn(store: Store, userId: number, keyId: number): KeyRecord {
  const key = store.keys.byId(keyId);
  return requireFound(key?.userId === userId ? key : null, 'such key of yours');
}

const validateDescription = (text: string): string => validateText('description', text, { min: 0, max: 256 });
