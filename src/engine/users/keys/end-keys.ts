import type { User } from '../../../core/records.ts';
import { maxInteger, newestRows } from '../../../store/shared/slice.ts';
import type { Store } from '../../../store/store.ts';
import type { KeyRecord } from '../../../store/users/keys-table.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { writeAudit } from '../../shared/audit.ts';

/** Enough of a key's description to recognise it among others. */
const maxNameLength = 32;

/** The sides of an audit entry about a key. */
interface KeySides {
  readonly user: User;
  readonly before?: KeyRecord;
  readonly after?: KeyRecord;
}

/** Writes an audit entry about a key of a user; call it inside the transaction of the change. */
export function logKey(
  store: Store,
  action: string,
  { user, before, after }: KeySides,
  { actor, now }: ActorContext,
): void {
  const subject = { kind: 'user', id: user.username };
  const sides = { before: before && toAuditKey(before), after: after && toAuditKey(after) };
  writeAudit(store, { actor, action, subject, ...sides }, now);
}

/** Deletes a key; call it inside a transaction. */
export function removeKey(store: Store, { id }: KeyRecord): void {
  store.users.keys.remove(id);
  store.provisionalTimes.clear('key_created', id);
}

/** Deletes all keys of a user, with one audit entry; returns how many there were. Call it inside a transaction. */
export function endKeys(store: Store, user: User, { actor, now }: ActorContext): number {
  const keys = store.users.keys.pageByUser(user.id, newestRows(maxInteger));
  if (keys.length === 0) return 0;
  for (const key of keys) removeKey(store, key);
  const subject = { kind: 'user', id: user.username };
  const names = keys
    .map(({ description }) => description.slice(0, maxNameLength))
    .filter((name) => name !== '');
  const before = {
    count: keys.length,
    prefix: keys.map(({ prefix }) => prefix).join(', '),
    niceName: names.join(', '),
  };
  writeAudit(store, { actor, action: 'user.keys_ended', subject, before }, now);
  return keys.length;
}

/** What the audit log tells of a key: what its owner recognises it by. */
const toAuditKey = ({ prefix, description, isActive }: KeyRecord) => ({
  prefix,
  niceName: description,
  isActive,
});
