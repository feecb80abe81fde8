import { webExtensions } from '../../../extensions/pages.ts';
import type { IconName } from '../../components/icon.tsx';

const icons: Readonly<Record<string, IconName>> = {
  '/account': 'person',
  '/activity': 'list',
  '/alarms': 'flag',
  '/audit': 'document',
  '/backups': 'archive',
  '/beers': 'bottle',
  '/cards': 'key',
  '/drinks': 'glass',
  '/export': 'document',
  '/features': 'gear',
  '/held': 'flag',
  '/kegs': 'keg',
  '/hardware': 'chip',
  '/https': 'lock',
  '/logs': 'terminal',
  '/mail': 'mail',
  '/menu': 'book',
  '/reports': 'bars',
  '/sessions': 'clock',
  '/site': 'gear',
  '/statistics': 'bars',
  '/taps': 'tap',
  '/temperature-sheet': 'document',
  '/tokens': 'key',
  '/updates': 'down',
  '/users': 'people',
  '/webhooks': 'link',
};

const extensionIcons = new Map(
  webExtensions.flatMap(({ menu }) => menu.map(({ path, icon }) => [path, icon] as const)),
);

/** The icon of a page in the menu. */
export const navigationIcon = (path: string): IconName => icons[path] ?? extensionIcons.get(path) ?? 'dot';
