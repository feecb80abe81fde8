import { type ReadonlySignal, signal } from '@preact/signals';

/** Where the reader is: the path below the page's front (`/`, `/kegs/3`) and what follows the question mark. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The front's own path; the house may live below a proxy's prefix. */
const front = new URL(document.baseURI).pathname.replace(/\/$/, '');

const at = signal(read());

/** The place shown now. */
export const place: ReadonlySignal<Place> = at;

/** The address of a place, for a link. */
export const address = (path: string): string => `${front}${path}`;

/** Goes to another place of the page, as a followed link does. */
export function go(path: string) {
  history.pushState(null, '', address(path));
  at.value = read();
  scrollTo(0, 0);
}

/** Keeps links within the page from loading it anew, and the place in step with the browser's own buttons. */
export function followLinks() {
  addEventListener('popstate', () => {
    at.value = read();
  });
  document.addEventListener('click', (event) => {
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!plain || event.defaultPrevented || !link || link.target !== '' || link.hasAttribute('download'))
      return;
    const path = ownPath(link.href);
    if (path === null) return;
    event.preventDefault();
    go(path);
  });
}

/** The path of a link that leads to a page of this house; null where it leads elsewhere or to the API. */
function ownPath(href: string): string | null {
  const to = new URL(href);
  if (to.origin !== location.origin || !to.pathname.startsWith(`${front}/`)) return null;
  const path = to.pathname.slice(front.length);
  return /^\/(?:api|healthz)(?:\/|$)/.test(path) ? null : `${path}${to.search}`;
}

function read(): Place {
  const path = location.pathname.slice(front.length).replace(/(.)\/$/, '$1');
  return {
    path: path === '/index.html' || path === '' ? '/' : path,
    query: new URLSearchParams(location.search),
  };
}
