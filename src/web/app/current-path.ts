import { type ReadonlySignal, signal } from '@preact/signals';

/** The path below the base path (`/`, `/kegs/3`) and the query. */
export interface CurrentPath {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Path prefix of the page; not empty behind a proxy with a prefix. */
const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

const current = signal(readCurrentPath());

/** The path of the page that is shown. */
export const currentPath: ReadonlySignal<CurrentPath> = current;

/** Returns the link target of a path: base path plus path. */
export const toHref = (path: string): string => `${basePath}${path}`;

/** Opens another path of the page, like a followed link. */
export function navigate(path: string) {
  history.pushState(null, '', toHref(path));
  current.value = readCurrentPath();
  scrollTo(0, 0);
}

/** Opens links within the page without a reload, and follows the browser's back and forward buttons. */
export function interceptLinks() {
  addEventListener('popstate', () => {
    current.value = readCurrentPath();
  });
  document.addEventListener('click', (event) => {
    const isPlainClick =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (
      !isPlainClick ||
      event.defaultPrevented ||
      !link ||
      link.target !== '' ||
      link.hasAttribute('download')
    )
      return;
    const path = toAppPath(link.href);
    if (path === null) return;
    event.preventDefault();
    navigate(path);
  });
}

/** Returns the path of a link to one of our pages; null for other sites and the API. */
function toAppPath(href: string): string | null {
  const url = new URL(href);
  if (url.origin !== location.origin || !url.pathname.startsWith(`${basePath}/`)) return null;
  const path = url.pathname.slice(basePath.length);
  return /^\/(?:api|healthz)(?:\/|$)/.test(path) ? null : `${path}${url.search}`;
}

function readCurrentPath(): CurrentPath {
  const path = location.pathname.slice(basePath.length).replace(/(.)\/$/, '$1');
  return {
    path: path === '/index.html' || path === '' ? '/' : path,
    query: new URLSearchParams(location.search),
  };
}
