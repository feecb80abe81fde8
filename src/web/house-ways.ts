import { say } from './words/say.ts';

/** Who finds a page in the menu. */
export type ForWhom = 'everybody' | 'members' | 'staff';

/** A page of the house. */
export interface Way {
  readonly path: string;
  readonly words: string;
  readonly only: ForWhom;
}

interface WayGroup {
  readonly name: string;
  readonly ways: readonly Way[];
}

const way =
  (only: ForWhom) =>
  (path: string, words: string): Way => ({ path, words, only });
const everybody = way('everybody');
const members = way('members');
const staff = way('staff');

/** All pages beyond the taps, in the order in which they are needed. */
export const wayGroups: readonly WayGroup[] = [
  {
    name: say.groups.bar,
    ways: [
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
    ways: [members('/account', say.toAccount), staff('/users', say.toUsers), staff('/audit', say.toAudit)],
  },
  {
    name: say.groups.house,
    ways: [
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

/** Pages for everybody who may look: on a wide screen they stand beside the menu instead of in it. */
export const besideMenu: readonly Way[] = wayGroups[0]!.ways.filter(
  ({ path, only }) => only === 'everybody' && path !== '/kiosk' && path !== '/menu',
);
