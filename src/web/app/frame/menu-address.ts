import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { toHref } from '../routing.ts';

type SiteAddress = Pick<SnapshotMessage, 'address' | 'menu_url'>;

/**
 * Returns a page's URL for another device; null when only a localhost URL is known, which another device cannot
 * open.
 */
export function findPageUrl(path: string, { address: siteUrl }: Pick<SiteAddress, 'address'>): string | null {
  const isLocalhost = /^(?:localhost|127\.|\[::1\])/.test(location.host);
  if (!isLocalhost) return new URL(toHref(path), location.href).href;
  return siteUrl === null ? null : `${siteUrl.replace(/\/$/, '')}${path}`;
}

/** Returns the menu's URL for a guest's phone: that of the published menu, else that of our page; or null. */
export const findMenuUrl = (site: SiteAddress): string | null => site.menu_url ?? findPageUrl('/menu', site);
