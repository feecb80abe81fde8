/// <reference types="vite/types/importMeta.d.ts" />
import { toHref } from './routing.ts';

/** Registers the service worker, by which the page opens without a connection. Browsers have it over HTTPS and on localhost. */
export function registerServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = () =>
    navigator.serviceWorker
      .register(toHref('/service-worker.js'), { scope: toHref('/'), updateViaCache: 'none' })
      // Without it the page works as before.
      .catch(() => {});
  // Last, so that its files do not delay those of the page.
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register());
}
