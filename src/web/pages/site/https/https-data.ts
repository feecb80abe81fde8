import type { Result } from '../../../api/client.ts';
import { useResource } from '../../../components/use-resource.ts';
import { language } from '../../../locales/locale.ts';

/** HTTPS of the machine, as the daemon reports it. */
export type Https = Result<'GET /site/https'>['https'];

/** True for a page that this machine itself shows, which no network carries. */
const isOnThisMachine = (): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/**
 * HTTPS of the machine where this page may have to leave plain HTTP, and whether that is still unknown. Over HTTPS, and on the
 * machine itself, nothing is asked.
 */
export function useRequiredHttps(): { readonly https: Https | null; readonly isLoading: boolean } {
  const mayBeRequired = location.protocol === 'http:' && !isOnThisMachine();
  const { result, error } = useResource('GET /site/https', mayBeRequired ? {} : null);
  const https = result?.https.is_required ? result.https : null;
  return { https, isLoading: mayBeRequired && result === null && error === null };
}

/** The address of the current page, or of another one, over HTTPS. */
export const toSecureAddress = (address: string, path = `${location.pathname}${location.search}`): string =>
  `${address}${path}`;

const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' });

/** A date in words. */
export const formatDate = (iso: string): string => date.format(new Date(iso));
