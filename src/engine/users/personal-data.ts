import type { Moment } from '../../core/clock/moment.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { requireActiveStaff, requireOtherSuperuser } from './account-rights.ts';

/** All that is stored about a user, as a whole. */
export function createPersonalData(
  parts: EngineParts,
  { endUserGrants }: { endUserGrants(username: string, now: Moment): void },
) {
  const { store, bus } = parts;
  return {
    /**
     * Erases a user for good: account, names, address, password, PIN, logins, keys, tokens, pictures, comments, mails and
     * settings. Drinks stay without a user. In the audit log `#` and the user's id stand for the name. The name is free
     * afterwards. Throws `not_found`; `conflict` for the last superuser and the last active staff account. Only the account is
     * erased at once: call `continueErasure` afterwards until it returns false.
     */
    erase(username: string, actor: Actor, now: Moment): void {
      endUserGrants(requireErasable(store, username).username, now);
      store.diskSpace.require('removal');
      store.overwritingTransaction(() => {
        const { id, isStaff, isSuperuser } = requireErasable(store, username);
        store.users.erasure.begin(store.users.erasure.traces(id)!);
        if (isStaff || isSuperuser) requireActiveStaff(store);
        const isOwn = actor.userId === id;
        writeAudit(
          store,
          {
            actor: isOwn ? { ...actor, userId: null } : actor,
            action: 'user.erased',
            subject: { kind: 'user', id: `#${id}` },
          },
          now,
        );
      });
      store.emptyLog();
      bus.publish({ type: 'database.changed' });
    },

    /**
     * Removes the next traces of users that were erased, in one short transaction; false when nothing is left. Also
     * continues what a power cut has interrupted.
     */
    continueErasure(): boolean {
      if (!store.users.erasure.isUnfinished()) return false;
      store.overwritingTransaction(() => store.users.erasure.step());
      if (store.users.erasure.isUnfinished()) return true;
      store.emptyLog();
      bus.publish({ type: 'database.changed' });
      return false;
    },
  };
}

/** The user, unless nobody could manage the site without. */
function requireErasable(store: Store, username: string): User {
  const user = requireFound(store.users.byName(username), 'account of that name');
  if (user.isSuperuser) requireOtherSuperuser(store, user);
  return user;
}
