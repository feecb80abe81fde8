import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { toHref } from '../app/routing.ts';

/**
 * Returns the URL of a page for another device; null when only a localhost URL is known, which another device cannot
 * open.
 */
export function findPageUrl(path: string, { address: siteUrl }: SnapshotMessage): string | null {
  const isLocalhost = /^(?:localhost|127\.|\[::1\])/.test(location.host);
  if (!isLocalhost) return new URL(toHref(path), location.href).href;
  return siteUrl === null ? null : `${siteUrl.replace(/\/$/, '')}${path}`;
}
