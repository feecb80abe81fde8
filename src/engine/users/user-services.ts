import type { Moment } from '../../core/clock/moment.ts';
import type { EngineParts } from '../shared/parts.ts';
import { createAccountHelp } from './account-help.ts';
import { createAccountLinks } from './account-links.ts';
import { createAccounts } from './accounts.ts';
import { createInvitations } from './invitations.ts';
import { createKeyUses } from './keys/key-uses.ts';
import { createOwnKeys } from './keys/own-keys.ts';
import { createLoginLog } from './login-log/login-log.ts';
import { createLogins } from './logins.ts';
import { createPasswords } from './passwords/passwords.ts';
import { createPersonalData } from './personal-data.ts';
import { createPins } from './pins/pins.ts';
import { createRegistration } from './registration.ts';
import { createSetup } from './setup.ts';
import { createTablets } from './tablets.ts';
import { createUsers } from './users.ts';

/** Accounts, and how people get in. */
export function createUserServices(
  parts: EngineParts,
  hooks: { endUserGrants(username: string, now: Moment): void },
) {
  const keyUses = createKeyUses(parts.store);
  const users = createUsers(parts, keyUses);
  const logins = createLogins(parts);
  const pins = createPins(parts);
  return {
    ...users,
    accounts: createAccounts(parts, hooks, { logins, pins }),
    accountHelp: createAccountHelp(parts, logins, keyUses),
    accountLinks: createAccountLinks(parts),
    personalData: createPersonalData(parts, hooks),
    registration: createRegistration(parts, users),
    invitations: createInvitations(parts),
    setup: createSetup(parts, users),
    logins,
    loginLog: createLoginLog(parts),
    passwords: createPasswords(parts),
    pins,
    tablets: createTablets(parts),
    ownKeys: createOwnKeys(parts, keyUses),
  };
}
