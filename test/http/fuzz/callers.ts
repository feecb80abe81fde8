import { systemActor } from '../../../src/engine/engine.ts';
import type { PopulatedServer } from '../current/populated-server.ts';

/** Everybody who sends requests. */
export const callers = [
  'superuser',
  'staff by key',
  'staff by bearer key',
  'staff by login',
  'member by key',
  'member by login',
  'shared tablet',
  'shared tablet with a PIN unlock',
  'nobody',
  'wrong key',
] as const;

export type Caller = (typeof callers)[number];

export type Credentials = Readonly<Record<string, string>>;

/** Creates the headers of the callers; new ones when requests have removed a key, a login or its account. */
export function createCallers(server: PopulatedServer) {
  const { engine } = server;
  let superusers = 0;
  const known = new Map<Caller, Credentials>();

  /** Makes a user active again with this right; creates the account if it was renamed or erased. */
  function restoreUser(username: string, isStaff: boolean): void {
    if (engine.users.user(username) === null) engine.users.addUser({ username, isStaff }, server.now());
    else engine.users.accounts.change(username, { isActive: true, isStaff }, systemActor, server.now());
  }

  /** Removes all tablets: their number is limited. */
  function removeTablets(): void {
    for (const { id } of engine.users.tablets.list({}).items)
      engine.users.tablets.remove(id, systemActor, server.now());
    known.delete('shared tablet');
    known.delete('shared tablet with a PIN unlock');
  }

  function create(caller: Caller): Credentials {
    const createKey = (username: string) => engine.users.createKey(username, 'test', server.now()).secret;
    switch (caller) {
      case 'superuser':
        // A new one each time: nobody may change the rights of a superuser.
        superusers += 1;
        engine.users.addUser({ username: `root${superusers}`, isSuperuser: true }, server.now());
        return { Cookie: server.createConfirmedCookie(`root${superusers}`) };
      case 'staff by key':
        restoreUser('anna', true);
        return { 'X-Kegbot-Api-Key': createKey('anna') };
      case 'staff by bearer key':
        restoreUser('anna', true);
        return { Authorization: `Bearer ${createKey('anna')}` };
      case 'staff by login':
        restoreUser('anna', true);
        return { Cookie: server.createLoginCookie('anna') };
      case 'member by key':
        restoreUser('bert', false);
        return { 'X-Kegbot-Api-Key': createKey('bert') };
      case 'member by login':
        restoreUser('bert', false);
        return { Cookie: server.createLoginCookie('bert') };
      case 'shared tablet':
        restoreUser('anna', true);
        removeTablets();
        return { Cookie: server.createTabletCookie('Bar left') };
      case 'shared tablet with a PIN unlock':
        restoreUser('anna', true);
        removeTablets();
        return server.createUnlockedTablet('Bar right', 'anna');
      case 'nobody':
        return {};
      case 'wrong key':
        return { 'X-Kegbot-Api-Key': 'wrong' };
    }
  }

  return {
    credentials(caller: Caller): Credentials {
      const credentials = known.get(caller) ?? create(caller);
      known.set(caller, credentials);
      return credentials;
    },
    /** Makes new credentials the next time, after a request that may have ended them. */
    renew(caller: Caller) {
      known.delete(caller);
    },
  };
}
