import { normalizeToken } from '../../core/access/token-value.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { AuthToken, Site, User } from '../../core/records.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { writeSite } from '../shared/write-site.ts';
import {
  nameTakenError,
  requireFewAliases,
  validateDisplayName,
  validateEmail,
  validateUsername,
} from './account-bounds.ts';
import { logKey } from './keys/end-keys.ts';
import { createKeyUses, type KeyUses } from './keys/key-uses.ts';
import { addKey, validateDescription } from './keys/own-keys.ts';
import { requireOwnNames } from './names/own-names.ts';
import { findToken } from './resolve-user.ts';
import { type HashedPassword, sameHash, toStoredKey } from './secrets.ts';

export type Users = ReturnType<typeof createUsers>;

/** Longer than any address. */
const maxAddressLength = 64;

export function createUsers(parts: EngineParts, keyUses: KeyUses = createKeyUses(parts.store)) {
  const { store } = parts;
  // Twenty controllers send their keys many times per second.
  const keyCache = store.cachedUntilChange(
    () =>
      new Map<string, readonly { readonly id: number; readonly hash: Uint8Array; readonly user: User }[]>(),
  );

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
        requireOwnNames(store, { id: user.id, username: name });
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
        requireOwnNames(store, { username: name, displayName: display });
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

    /** The secret is returned only here; its hash is stored. With an actor it is in the audit log. */
    createKey(
      username: string,
      description: string,
      now: Moment,
      actor?: Actor,
    ): { readonly keyId: number; readonly secret: string } {
      const text = validateDescription(description);
      return change(parts, () => {
        const user = requireFound(store.users.byName(username), 'account of that name');
        const { key, secret } = addKey(store, user, text, now);
        if (actor !== undefined) logKey(store, 'user.key_created', { user, after: key }, { actor, now });
        return { keyId: key.id, secret };
      });
    },

    /**
     * The active user of a key, or why there is none. Constant time in the secret. With `now`, the use from that
     * address is recorded.
     */
    byKey(
      secret: string,
      now?: Moment,
      address: string | null = null,
    ): { readonly user: User } | { readonly refused: 'unknown' | 'inactive' } {
      if (!/^[0-9a-f]{32}$/.test(secret)) return { refused: 'unknown' };
      const { prefix, hash } = toStoredKey(secret);
      const cache = keyCache();
      const candidates = cache.get(prefix) ?? [];
      const cachedKey = candidates.find((candidate) => sameHash(candidate.hash, hash));
      if (cachedKey !== undefined) {
        if (now !== undefined) keyUses.record(cachedKey.id, cutAddress(address), now);
        return { user: cachedKey.user };
      }
      const key = store.users.keys.byPrefix(prefix).find((candidate) => sameHash(candidate.hash, hash));
      if (key === undefined) return { refused: 'unknown' };
      const user = store.users.byId(key.userId);
      if (!key.isActive || !user?.isActive) return { refused: 'inactive' };
      cache.set(prefix, [...candidates, { id: key.id, hash, user }]);
      if (now !== undefined) keyUses.record(key.id, cutAddress(address), now);
      return { user };
    },

    token(device: string, value: string): AuthToken | null {
      const normalized = normalizeToken(device, value);
      return store.access.tokens.find(normalized.device, normalized.value);
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

const cutAddress = (address: string | null): string | null => address?.slice(0, maxAddressLength) ?? null;
