import { webExtensions } from '../../../extensions/pages.ts';
import { isFeatureOn } from '../me.ts';
import { type NavigationGroup, navigationGroups } from './navigation.ts';

/** The groups of the menu with the pages of the extensions that are on. */
export const allNavigationGroups = (): readonly NavigationGroup[] =>
  navigationGroups.map((group) => {
    let items = [...group.items];
    for (const { name, menu } of webExtensions) {
      if (!isFeatureOn(name)) continue;
      // A page that is a tab of another one has no item of its own.
      const tabs = new Set(menu.flatMap((item) => item.tabs ?? []).map(({ path }) => path));
      items = items.filter(({ path }) => !tabs.has(path));
      for (const item of menu.filter((one) => one.group === group.name)) {
        const at = items.findIndex(({ path }) => path === item.after);
        items.splice(at === -1 ? items.length : at + 1, 0, item);
      }
    }
    return { ...group, items };
  });
