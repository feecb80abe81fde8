import { type ComponentChildren, type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { usePageLoad } from '../components/page-load.ts';
import { loadAllTexts, t } from '../locales/locale.ts';

/** Wait before the next try to reach the daemon, milliseconds. */
const retryMs = 2_000;

/** Path prefix of the page; not empty behind a proxy with a prefix. */
const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Returns the link target of a path: base path plus path. */
export const toHref = (path: string): string => `${basePath}${path}`;

/** Link targets that the router opens without a reload: all below the base path except the API and files. */
export const routerScope = new RegExp(
  `^${basePath.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/(?!(?:api|ca\\.crt|healthz|licences\\.txt)(?:[/?]|$))`,
);

/** Returns the path below the base path, e.g. `/` or `/kegs/3`. */
export function usePath(): string {
  const path = useLocation().path.slice(basePath.length);
  return path === '' || path === '/index.html' ? '/' : path;
}

/** Returns a function that opens another path of the page, like a followed link. */
export function useNavigate(): (path: string) => void {
  const { route } = useLocation();
  return (path) => route(toHref(path));
}

/** Returns a function that opens another path in place of the current one, which Back then skips. */
export function useReplace(): (path: string) => void {
  const { route } = useLocation();
  return (path) => route(toHref(path), true);
}

type Load<P extends object> = () => Promise<FunctionComponent<P>>;

/**
 * Loads the page of a route on first use. A busy `main` takes its place meanwhile, so that screen readers find
 * the landmark; `lazy` of preact-iso would show nothing.
 */
export const lazyPage = <P extends object>(load: Load<P>): FunctionComponent<P> =>
  lazyComponent(load, h('main', { class: 'bar', 'aria-busy': true }), h(PageUnavailable, null));

/** In place of a page whose files cannot be loaded without a connection; the taps are shown without one. */
function PageUnavailable() {
  const link = h('a', { class: 'button', href: toHref('/') }, t('drinkerPage.showTaps'));
  return h(
    'main',
    { class: 'bar' },
    h('div', { class: 'empty-message' }, h('p', null, t('app.pageUnavailable')), link),
  );
}

/** Loads a part of a page on first use, so that the taps are shown without delay; `unavailable` is shown without a connection. */
export function lazyComponent<P extends object>(
  load: Load<P>,
  placeholder: ComponentChildren = null,
  unavailable: ComponentChildren = placeholder,
): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | null = null;
  return function LazyComponent(props) {
    const [Part, setPart] = useState(() => loaded);
    const [isUnavailable, setUnavailable] = useState(false);
    const { begin } = usePageLoad();
    useEffect(() => {
      if (Part) return;
      const end = begin();
      Promise.all([load(), loadAllTexts()])
        .then(
          ([part]) => {
            loaded = part;
            setPart(() => part);
          },
          () => reloadPage(() => setUnavailable(true)),
        )
        .finally(end);
      return end;
    }, [Part]);
    if (Part) return h(Part, props);
    return isUnavailable ? unavailable : placeholder;
  };
}

/**
 * Reloads the page after a failed import: an update has replaced the file, or the connection was lost.
 * Browsers do not fetch a failed module again. Waits until the daemon responds, because a kiosk cannot leave
 * the browser's error page; calls `onNoConnection` each time that it does not.
 */
export function reloadPage(onNoConnection: () => void = () => {}): void {
  fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).then(
    () => location.reload(),
    () => {
      onNoConnection();
      setTimeout(() => reloadPage(onNoConnection), retryMs);
    },
  );
}
