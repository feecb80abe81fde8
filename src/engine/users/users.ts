import type { Moment } from '../../core/clock/moment.ts';
import type { AuthToken, Site, User } from '../../core/records.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound, validateText } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { writeSite } from '../shared/write-site.ts';
import {
  nameTakenError,
  requireFewAliases,
  validateDisplayName,
  validateEmail,
  validateUsername,
} from './account-bounds.ts';
import { findToken, normalizeToken } from './resolve-user.ts';
import { type HashedPassword, newKey, sameHash, toStoredKey } from './secrets.ts';

export type Users = ReturnType<typeof createUsers>;

const hourMs = 3_600_000;

export function createUsers(parts: EngineParts) {
  const { store } = parts;
  const lastUses = new Map<number, number>();
  // Twenty controllers send their keys many times per second.
  const keyCache = store.cachedUntilChange(
    () =>
      new Map<string, readonly { readonly id: number; readonly hash: Uint8Array; readonly user: User }[]>(),
  );

  const recordUse = (keyId: number, now: Moment): void => {
    const last = lastUses.get(keyId);
    if (!now.synced || (last !== undefined && now.monoMs - last < hourMs)) return;
    lastUses.set(keyId, now.monoMs);
    try {
      store.transaction(() => store.keys.used(keyId, Math.round(now.wallMs)));
    } catch {
      // A full disk must not lock out the person who comes to free space; the next use in an hour is recorded
      // instead.
    }
  };

  return {
    /** By name, or by a name that the account had before. */
    user: (username: string): User | null => store.users.byName(username),
    /** Names that the account had before. */
    aliases: ({ id }: User): readonly string[] => store.users.aliases(id),

    /**
     * Gives the account a name besides its present one. Throws `invalid_request` for a name that another account has;
     * `conflict` beyond ten aliases.
     */
    addAlias(user: User, alias: string, actor: Actor, now: Moment): string {
      const name = validateUsername(alias);
      return change(parts, () => {
        if (store.users.byName(name) !== null) throw nameTakenError();
        store.users.addAlias(user.id, name);
        requireFewAliases(store, user.id);
        const subject = { kind: 'user', id: user.username };
        writeAudit(store, { actor, action: 'user.alias_added', subject, after: { username: name } }, now);
        return name;
      });
    },
    /** Removes a name besides the present one; anybody may take it then. Throws `not_found`. */
    removeAlias: (user: User, alias: string, actor: Actor, now: Moment): void =>
      change(
        parts,
        () => {
          const username = requireFound(store.users.removeAlias(user.id, alias), 'alias of that name');
          const subject = { kind: 'user', id: user.username };
          writeAudit(store, { actor, action: 'user.alias_removed', subject, before: { username } }, now);
        },
        'removal',
      ),

    /** The first staff account completes the set-up. */
    addUser(
      {
        username,
        password,
        email = '',
        displayName = '',
        isStaff = false,
        isSuperuser = false,
        completesSetUp = true,
        actor,
        onCreated,
      }: {
        readonly username: string;
        /** From `passwords.hash`; without one the account cannot log in by name. */
        readonly password?: HashedPassword;
        readonly email?: string;
        readonly isStaff?: boolean;
        readonly displayName?: string;
        readonly isSuperuser?: boolean;
        /** False to leave the set-up open after the first staff account. */
        readonly completesSetUp?: boolean;
        /** Who creates it, for the audit log. */
        readonly actor?: Actor;
        /** Runs in the same transaction. */
        readonly onCreated?: (user: User) => void;
      },
      now: Moment,
    ): User {
      const name = validateUsername(username);
      const address = validateEmail(email);
      const display = validateDisplayName(displayName, name);
      return change(parts, () => {
        if (store.users.byName(name) !== null) throw nameTakenError();
        const user = store.users.add({
          username: name,
          displayName: display,
          email: address,
          isStaff,
          isSuperuser,
          isActive: true,
          joinedTimeMs: Math.round(now.wallMs),
          passwordHash: password ?? null,
        });
        store.provisionalTimes.note('user_joined', user.id, now);
        const after = { isStaff, isSuperuser };
        const subject = { kind: 'user', id: name };
        if (actor !== undefined) writeAudit(store, { actor, action: 'user.created', subject, after }, now);
        if (completesSetUp && (isStaff || isSuperuser)) writeSite(store, { isSetUp: true });
        onCreated?.(user);
        return user;
      });
    },

    /** The secret is returned only here; its hash is stored. */
    createKey(
      username: string,
      description: string,
      now: Moment,
    ): { readonly keyId: number; readonly secret: string } {
      const text = validateText('description', description, { min: 0, max: 256 });
      const secret = newKey();
      const keyId = change(parts, () => {
        const { id: userId } = requireFound(store.users.byName(username), 'account of that name');
        const createdTimeMs = Math.round(now.wallMs);
        const id = store.keys.add({ userId, ...toStoredKey(secret), description: text, createdTimeMs });
        store.provisionalTimes.note('key_created', id, now);
        return id;
      });
      return { keyId, secret };
    },

    /**
     * The active user of a key, or why there is none. Constant time in the secret. With `now`, the time of use
     * is recorded, at most once per hour and key.
     */
    byKey(
      secret: string,
      now?: Moment,
    ): { readonly user: User } | { readonly refused: 'unknown' | 'inactive' } {
      if (!/^[0-9a-f]{32}$/.test(secret)) return { refused: 'unknown' };
      const { prefix, hash } = toStoredKey(secret);
      const cache = keyCache();
      const candidates = cache.get(prefix) ?? [];
      const cachedKey = candidates.find((candidate) => sameHash(candidate.hash, hash));
      if (cachedKey !== undefined) {
        if (now !== undefined) recordUse(cachedKey.id, now);
        return { user: cachedKey.user };
      }
      const key = store.keys.byPrefix(prefix).find((candidate) => sameHash(candidate.hash, hash));
      if (key === undefined) return { refused: 'unknown' };
      const user = store.users.byId(key.userId);
      if (!key.isActive || !user?.isActive) return { refused: 'inactive' };
      cache.set(prefix, [...candidates, { id: key.id, hash, user }]);
      if (now !== undefined) recordUse(key.id, now);
      return { user };
    },

    token(device: string, value: string): AuthToken | null {
      const normalized = normalizeToken(device, value);
      return store.tokens.find(normalized.device, normalized.value);
    },

    /**
     * By `<device>|<value>` or `<device>.<value>`; device names contain dots, so the text is matched as a
     * whole.
     */
    tokenByText: (text: string): AuthToken | null => findToken(store, text),

    site: (): Site => store.site.read(),
    changeSite: (changes: Partial<Site>): Site => change(parts, () => writeSite(store, changes)),
  };
}
