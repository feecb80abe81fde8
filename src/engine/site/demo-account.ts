import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { otherNames } from '../users/names/own-names.ts';
import type { Users } from '../users/users.ts';

/** Names of the account; the first one that nobody has. */
const usernames = ['demo', 'demo2', 'demo3', 'demo4', 'demo5'] as const;

/** The staff account without a password that a demo lets everybody use. */
export function createDemoAccount(parts: EngineParts, users: Users) {
  const { store } = parts;
  const find = (): User | null => {
    const id = store.site.demoUserId();
    return id === null ? null : store.users.byId(id);
  };
  return {
    /** The account, created at its first use. Only a demo may call this. */
    open(now: Moment): User {
      const user = find();
      if (user?.isActive && user.isStaff) return user;
      const isOthers = otherNames(store);
      const username = usernames.find((name) => !isOthers(name));
      if (username === undefined)
        throw new AppError('conflict', 'The names of the demo’s account are taken.');
      return users.addUser(
        { username, isStaff: true, onCreated: ({ id }) => store.site.setDemoUserId(id) },
        now,
      );
    },

    /** For a bar whose database comes from a demo: ends the account’s rights and its logins. It has no keys and no password. */
    close(): void {
      const user = find();
      if (user === null) return;
      change(
        parts,
        () => {
          store.users.change({ ...user, isStaff: false, isActive: false });
          store.users.logins.removeByUser(user.id);
          store.users.pins.remove(user.id);
          store.site.setDemoUserId(null);
        },
        'removal',
      );
    },
  };
}
