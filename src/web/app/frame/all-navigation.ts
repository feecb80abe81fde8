import { webExtensions } from '../../../extensions/pages.ts';
import { isFeatureOn } from '../me.ts';
import { type NavigationGroup, navigationGroups } from './navigation.ts';

/** The groups of the menu with the pages of the extensions that are on. */
export const allNavigationGroups = (): readonly NavigationGroup[] =>
  navigationGroups.map((group) => {
    const items = [...group.items];
    for (const { name, menu } of webExtensions) {
      if (!isFeatureOn(name)) continue;
      for (const item of menu.filter((one) => one.group === group.name)) {
        const at = items.findIndex(({ path }) => path === item.after);
        items.splice(at === -1 ? items.length : at + 1, 0, item);
      }
    }
    return { ...group, items };
  });
