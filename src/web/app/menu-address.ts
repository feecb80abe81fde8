import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { toHref } from './routing.ts';

/**
 * Returns the menu's URL for a guest's phone; null when only a localhost URL is known, which a phone cannot
 * open.
 */
export function findMenuUrl({ address: siteUrl }: Pick<SnapshotMessage, 'address'>): string | null {
  const isLocalhost = /^(?:localhost|127\.|\[::1\])/.test(location.host);
  if (!isLocalhost) return new URL(toHref('/menu'), location.href).href;
  return siteUrl === null ? null : `${siteUrl.replace(/\/$/, '')}/menu`;
}
