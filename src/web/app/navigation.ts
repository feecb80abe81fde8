import { say } from '../words/say.ts';

/** Who sees a page in the menu. */
export type Audience = 'everybody' | 'members' | 'staff';

/** A page in the navigation. */
export interface NavigationItem {
  readonly path: string;
  readonly label: string;
  readonly audience: Audience;
}

interface NavigationGroup {
  readonly name: string;
  readonly items: readonly NavigationItem[];
}

const item =
  (audience: Audience) =>
  (path: string, label: string): NavigationItem => ({ path, label, audience });
const everybody = item('everybody');
const members = item('members');
const staff = item('staff');

/** All pages besides the taps, the most used first. */
export const navigationGroups: readonly NavigationGroup[] = [
  {
    name: say.groups.bar,
    items: [
      everybody('/menu', say.toMenu),
      everybody('/drinks', say.toDrinks),
      everybody('/kegs', say.toKegs),
      everybody('/sessions', say.toSessions),
      everybody('/statistics', say.toStatistics),
      staff('/held', say.toHeld),
      staff('/reports', say.toReports),
      everybody('/kiosk', say.toKiosk),
    ],
  },
  {
    name: say.groups.people,
    items: [members('/account', say.toAccount), staff('/users', say.toUsers), staff('/audit', say.toAudit)],
  },
  {
    name: say.groups.administration,
    items: [
      staff('/controllers', say.toControllers),
      staff('/wiring', say.toWiring),
      staff('/site', say.toSite),
      staff('/mail', say.toMail),
      staff('/webhooks', say.toWebhooks),
      staff('/backups', say.toBackups),
      staff('/logs', say.toLogs),
    ],
  },
];

/** Pages for everybody. On a wide screen they are in the header instead of the menu. */
export const headerItems: readonly NavigationItem[] = navigationGroups[0]!.items.filter(
  ({ path, audience }) => audience === 'everybody' && path !== '/kiosk' && path !== '/menu',
);
