import { consoleActor } from '../../src/engine/engine.ts';
import { type HashedPassword, hashPassword } from '../../src/engine/users/secrets.ts';
import { createClock } from '../../src/system/clock.ts';
import type { BarFolder } from './daemon.ts';
import { withDatabase } from './token-bar.ts';

export type Role = 'member' | 'staff' | 'superuser';

/** Computed once in a worker, and cheap to compare with: the tests log in hundreds of times. */
let hashed: Promise<HashedPassword> | undefined;

/** Adds accounts with the password “a good long password” as `tapster user add` does, without a process for each. */
export async function addAccounts(
  { database }: Pick<BarFolder, 'database'>,
  accounts: Readonly<Record<string, Role>>,
): Promise<void> {
  hashed ??= hashPassword('a good long password', 10);
  const password = await hashed;
  const now = createClock({ newestSyncedMs: 0 }).now();
  withDatabase(database, ({ users }) => {
    for (const [username, role] of Object.entries(accounts)) {
      users.addUser(
        { username, password, isStaff: role === 'staff', isSuperuser: role === 'superuser' },
        now,
      );
    }
  });
}

/** Creates an API key of an account as `tapster key create` does. */
export function addKey({ database }: Pick<BarFolder, 'database'>, username: string): string {
  const now = createClock({ newestSyncedMs: 0 }).now();
  return withDatabase(
    database,
    ({ users }) => users.createKey(username, 'made on the command line', now, consoleActor).secret,
  );
}
