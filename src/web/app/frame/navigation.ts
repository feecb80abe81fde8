import type { PlainKey } from '../../locales/translator.ts';

/** Who sees a page in the menu. */
type Audience = 'everybody' | 'members' | 'staff';

/** A page in the navigation. */
export interface NavigationItem {
  readonly path: string;
  readonly labelKey: PlainKey;
  readonly audience: Audience;
}

interface NavigationGroup {
  readonly nameKey: PlainKey;
  readonly items: readonly NavigationItem[];
}

const item =
  (audience: Audience) =>
  (path: string, labelKey: PlainKey): NavigationItem => ({ path, labelKey, audience });
const everybody = item('everybody');
const members = item('members');
const staff = item('staff');

/** All pages besides the taps, the most used first. */
export const navigationGroups: readonly NavigationGroup[] = [
  {
    nameKey: 'nav.groups.bar',
    items: [
      everybody('/menu', 'nav.menu'),
      everybody('/drinks', 'nav.drinks'),
      everybody('/kegs', 'nav.kegs'),
      staff('/beers', 'nav.beers'),
      everybody('/sessions', 'nav.sessions'),
      everybody('/activity', 'activity.title'),
      everybody('/statistics', 'nav.statistics'),
      staff('/held', 'nav.held'),
      staff('/reports', 'nav.reports'),
      staff('/export', 'export.title'),
      staff('/kiosk-options', 'nav.kiosk'),
    ],
  },
  {
    nameKey: 'nav.groups.people',
    items: [
      members('/account', 'nav.account'),
      staff('/users', 'nav.users'),
      staff('/cards', 'nav.cards'),
      staff('/audit', 'nav.audit'),
    ],
  },
  {
    nameKey: 'nav.groups.administration',
    items: [
      staff('/taps', 'nav.editTaps'),
      staff('/controllers', 'nav.controllers'),
      staff('/wiring', 'nav.wiring'),
      staff('/meters', 'meters.title'),
      staff('/thermometers', 'thermometers.title'),
      staff('/hardware', 'pins.title'),
      staff('/site', 'nav.site'),
      staff('/mail', 'nav.mail'),
      staff('/webhooks', 'nav.webhooks'),
      staff('/backups', 'nav.backups'),
      staff('/logs', 'nav.logs'),
    ],
  },
];

/** Pages for everybody. On a wide screen they are in the header instead of the menu. */
export const headerItems: readonly NavigationItem[] = navigationGroups[0]!.items.filter(
  ({ path, audience }) => audience === 'everybody' && path !== '/menu',
);
