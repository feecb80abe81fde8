import { type ReadonlySignal, signal } from '@preact/signals';

/** Where the reader is: the path below the page's front (`/`, `/kegs/3`) and what follows the question mark. */
export interface CurrentPath {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The front's own path; the house may live below a proxy's prefix. */
const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

const current = signal(readCurrentPath());

/** The place shown now. */
export const currentPath: ReadonlySignal<CurrentPath> = current;

/** The address of a place, for a link. */
export const toHref = (path: string): string => `${basePath}${path}`;

/** Goes to another place of the page, as a followed link does. */
export function navigate(path: string) {
  history.pushState(null, '', toHref(path));
  current.value = readCurrentPath();
  scrollTo(0, 0);
}

/** Keeps links within the page from loading it anew, and the place in step with the browser's own buttons. */
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

/** The path of a link that leads to a page of this house; null where it leads elsewhere or to the API. */
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
