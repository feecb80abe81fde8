import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Site, User } from '../../core/records.ts';
import { defaultTapName } from '../../core/taps/tap-names.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { writeSite } from '../shared/write-site.ts';
import type { HashedPassword } from './secrets.ts';
import type { Users } from './users.ts';

/** First set-up: settings, the first account, and opening the site. */
export function createSetup(parts: EngineParts, users: Users) {
  const { store } = parts;
  return {
    /** Writes settings and the currency, and creates a first tap where the configuration file has none. */
    settings: (input: Partial<Omit<Site, 'isSetUp'>>, currency?: string): Site =>
      change(parts, () => {
        const site = writeSite(store, input);
        if (currency !== undefined) store.reports.writeSettings({ ...store.reports.settings(), currency });
        if (store.taps.all().length === 0)
          store.taps.add({ name: defaultTapName, notes: '', sortOrder: 0, number: 1 });
        return site;
      }),

    /** Creates the administrator: staff and superuser. */
    admin: (
      user: { readonly username: string; readonly password: HashedPassword; readonly email?: string },
      now: Moment,
    ): User => users.addUser({ ...user, isStaff: true, isSuperuser: true, completesSetUp: false }, now),

    /** Whether an active staff account exists. */
    hasAdmin: (): boolean => store.users.hasActiveStaff(),

    /** Completes the set-up; `conflict` without an active staff account. */
    finish: (): void =>
      change(parts, () => {
        if (!store.users.hasActiveStaff()) {
          throw new AppError('conflict', 'Create a staff account first.');
        }
        writeSite(store, { isSetUp: true });
      }),
  };
}
