import type { ComponentType } from 'preact';
import { later } from './later.tsx';
import type { PageProps } from './pages/page.tsx';

/** Pages beyond the taps, each fetched when somebody first goes there. */
const rooms: readonly (readonly [path: string, Room: ComponentType<PageProps>])[] = [
  ['/drinks', later(() => import('./pages/drinks-page.tsx').then((module) => module.DrinksPage))],
  ['/kegs', later(() => import('./pages/kegs-page.tsx').then((module) => module.KegsPage))],
  ['/kegs/:id', later(() => import('./pages/keg-page.tsx').then((module) => module.KegPage))],
];

/** The page at a path, with what stands there for `:id`; null where there is none. */
export function roomAt(
  path: string,
): { readonly Room: ComponentType<PageProps>; readonly id: string } | null {
  for (const [pattern, Room] of rooms) {
    if (pattern === path) return { Room, id: '' };
    const front = pattern.replace(/:id$/, '');
    const rest = path.slice(front.length);
    const fits = front !== pattern && path.startsWith(front) && rest !== '' && !rest.includes('/');
    if (fits) return { Room, id: decodeURIComponent(rest) };
  }
  return null;
}
