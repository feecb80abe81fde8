import type { PlainKey } from '../../locales/translator.ts';

/** Who sees a page in the menu. */
type Audience = 'everybody' | 'members' | 'staff' | 'superusers';

/** A page in the navigation. */
export interface NavigationItem {
  readonly path: string;
  readonly labelKey: PlainKey;
  readonly audience: Audience;
  /** The pages that are reached by tabs of this one, itself among them. */
  readonly tabs?: readonly NavigationItem[];
  /** What the tabs are called by screen readers; the title of the page unless given. */
  readonly tabsKey?: PlainKey;
}

export type NavigationGroupName = 'bar' | 'people' | 'administration';

export interface NavigationGroup {
  readonly name: NavigationGroupName;
  readonly nameKey: PlainKey;
  readonly items: readonly NavigationItem[];
}

const item =
  (audience: Audience) =>
  (path: string, labelKey: PlainKey): NavigationItem => ({ path, labelKey, audience });
const everybody = item('everybody');
const members = item('members');
const staff = item('staff');
const superusers = item('superusers');

/** The hardware pages: the menu has the first one, which leads to the others by tabs. */
export const hardwareTabs: readonly NavigationItem[] = [
  staff('/hardware', 'pins.title'),
  staff('/meters', 'meters.title'),
  staff('/thermometers', 'thermometers.title'),
  staff('/wiring', 'nav.wiring'),
];

/** The base's pages besides the taps, the most used first; `all-navigation.ts` adds those of extensions. */
export const navigationGroups: readonly NavigationGroup[] = [
  {
    name: 'bar',
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
      staff('/temperature-sheet', 'temperatures.sheet'),
      staff('/reports', 'nav.reports'),
      staff('/export', 'export.title'),
    ],
  },
  {
    name: 'people',
    nameKey: 'nav.groups.people',
    items: [
      members('/account', 'nav.account'),
      staff('/users', 'nav.users'),
      staff('/cards', 'nav.cards'),
      staff('/audit', 'nav.audit'),
    ],
  },
  {
    name: 'administration',
    nameKey: 'nav.groups.administration',
    items: [
      staff('/taps', 'nav.editTaps'),
      { ...staff('/hardware', 'nav.hardware'), tabs: hardwareTabs },
      staff('/site', 'nav.site'),
      superusers('/features', 'features.title'),
      staff('/alarms', 'alarms.title'),
      staff('/mail', 'nav.mail'),
      staff('/webhooks', 'nav.webhooks'),
      staff('/https', 'https.title'),
      staff('/backups', 'nav.backups'),
      superusers('/updates', 'updates.title'),
      staff('/logs', 'nav.logs'),
    ],
  },
];

/** Whether the item leads to the current page or to the page whose tab that is. */
export const findCurrent = (
  { path, tabs = [] }: NavigationItem,
  currentPath: string,
): 'page' | 'true' | undefined => {
  if (path === currentPath) return 'page';
  return tabs.some((tab) => tab.path === currentPath) ? 'true' : undefined;
};

/** Pages for everybody. On a wide screen they are in the header instead of the menu. */
export const headerItems: readonly NavigationItem[] = navigationGroups[0]!.items.filter(
  ({ path, audience }) => audience === 'everybody' && path !== '/menu',
);
