import { maxUsernameLength, toUsername, usernameFault } from '../../../core/users/username-rules.ts';
import { hashOf } from '../../../engine/shared/files/row-hash.ts';
import { lookAlikeForms } from '../../../engine/users/names/look-alike.ts';
import { otherNames } from '../../../engine/users/names/own-names.ts';
import { isAnonymous } from '../../../engine/users/resolve-user.ts';
import { createPlannedIds, type ImportContext, type ImportOutcome } from './import-context.ts';
import type { ImportedUser } from './imported-records.ts';

/** A hash, so that the table of imports has no names of people. */
const toKey = (username: string): string => hashOf(username);

/** Whom a drink of the source belongs to. */
interface DrinkOwner {
  readonly userId: number | null;
  /** A name that no account has. */
  readonly claimedUsername: string | null;
}

/** Imports accounts, and finds the account of each drink. */
export function createUserImport({ store, tables, now, sourceId, isDryRun }: ImportContext) {
  const nextPlannedId = createPlannedIds();
  /** Accounts that a dry run would create or match, by key in the source and by name here. */
  const planned = new Map<string, number>();

  const findRecord = (key: string): { readonly localId: number } | null => {
    const id = planned.get(key);
    if (id !== undefined) return { localId: id };
    return sourceId === null ? null : tables.record(sourceId, 'user', key);
  };
  /** Whether another name of the source got this account. */
  const isTakenBySource = (localId: number): boolean =>
    [...planned.values()].includes(localId) ||
    (sourceId !== null && tables.keyOf(sourceId, 'user', localId) !== null);
  const remember = (key: string, localId: number, isCreated: boolean): void => {
    if (isDryRun) planned.set(key, localId);
    else tables.put(sourceId!, 'user', key, { localId, fingerprint: '', spilledMl: 0, isCreated });
  };
  const names = createImportedNames(store);

  return {
    /** An account with the same name in the form for comparison is the same person. */
    add(user: ImportedUser): ImportOutcome {
      const { username } = user;
      const key = toKey(username);
      if (isAnonymous(username) || findRecord(key) !== null) return { result: 'known' };
      const existing = store.users.byName(username);
      if (existing !== null && !isTakenBySource(existing.id)) {
        remember(key, existing.id, false);
        const note = `“${username}” is the account “${existing.username}” here.`;
        return { result: 'matched', ...(existing.username === username ? {} : { note }) };
      }
      const name = chooseUsername(username, names.isFree);
      const hasFreeName = user.displayName === '' || names.isFree(user.displayName);
      const displayName = hasFreeName ? user.displayName || name : name;
      names.add(name, displayName);
      const localId = isDryRun
        ? nextPlannedId()
        : store.users.add({
            username: name,
            displayName,
            email: user.email,
            passwordHash: null,
            isStaff: false,
            isSuperuser: false,
            isActive: user.isActive,
            joinedTimeMs: user.joinedTimeMs ?? Math.max(0, Math.round(now.wallMs)),
          }).id;
      remember(key, localId, true);
      const notes = [
        ...(name === toUsername(username)
          ? []
          : [`“${username}” gets the name “${name}” here, since its own is taken or not allowed.`]),
        ...(hasFreeName
          ? []
          : [
              `“${username}” is shown as “${name}”, since “${user.displayName}” is the name of another user or looks like it.`,
            ]),
      ];
      return { result: 'new', ...(notes.length > 0 && { note: notes.join(' ') }) };
    },

    /** The account of a drink; nobody when it was deleted here. */
    ownerOf(username: string | null): DrinkOwner {
      if (isAnonymous(username)) return { userId: null, claimedUsername: null };
      const record = findRecord(toKey(username));
      if (record !== null) {
        const exists = record.localId < 0 || store.users.byId(record.localId) !== null;
        return { userId: exists ? record.localId : null, claimedUsername: null };
      }
      const user = store.users.byName(username);
      return { userId: user?.id ?? null, claimedUsername: user === null ? username : null };
    },
  };
}

/** The names of all accounts, and of those that were imported since: thousands are compared with them. */
function createImportedNames(store: ImportContext['store']) {
  const isOthers = otherNames(store);
  const imported = new Set<string>();
  return {
    isFree: (name: string): boolean =>
      store.users.byName(name) === null &&
      !isOthers(name) &&
      !lookAlikeForms(name).some((form) => imported.has(form)),
    add(...names: readonly string[]): void {
      for (const name of names) for (const form of lookAlikeForms(name)) imported.add(form);
    },
  };
}

/** A free and allowed username as close as possible to that of the source. */
export function chooseUsername(username: string, isFree: (name: string) => boolean): string {
  const name = toUsername(username);
  const base = [name, withoutForbidden(name), 'member'].find(
    (candidate) =>
      candidate !== '' && codePoints(candidate) <= maxUsernameLength && usernameFault(candidate) === null,
  )!;
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const candidate = `${[...base].slice(0, maxUsernameLength - suffix.length).join('')}${suffix}`;
    if (usernameFault(candidate) === null ? isFree(candidate) : false) return candidate;
    // A cut name may end in a punctuation mark before the suffix, which is allowed; a digit of another script is not.
    if (number > 1 && usernameFault(candidate) !== null) return chooseUsername('member', isFree);
  }
}

const codePoints = (text: string): number => [...text].length;

function withoutForbidden(name: string): string {
  const allowed = name
    .normalize('NFKC')
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\p{L}\p{M}\p{Nd}_.@+-]/gu, '');
  const cut = [...allowed].slice(0, maxUsernameLength).join('');
  return cut.replace(/^[^\p{L}\p{Nd}]+/u, '').replace(/[^\p{L}\p{M}\p{Nd}]+$/u, '');
}
