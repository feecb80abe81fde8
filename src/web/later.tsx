import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Wait before the daemon is asked again whether it is there, milliseconds. */
const askAgainMs = 2_000;

type Load<P extends object> = () => Promise<ComponentType<P>>;

/** A room of the house, fetched when somebody first comes; until then its place is marked, for who does not see the page. */
export const laterRoom = <P extends object>(load: Load<P>): ComponentType<P> =>
  later(load, <main class="bar" aria-busy="true" />);

/** A part of the page that is fetched when it is first wanted, so that the taps are there at once. */
export function later<P extends object>(load: Load<P>, meanwhile: VNode | null = null): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [Part, show] = useState(() => found);
    useEffect(() => {
      if (Part) return;
      load().then((part) => {
        found = part;
        show(() => part);
      }, loadAnew);
    }, [Part]);
    return Part ? <Part {...props} /> : meanwhile;
  };
}

/**
 * A newer page has replaced the file this one would have fetched, or the line broke just then. A browser asks for a file
 * that failed only once; and a page loaded anew from nobody would be an error that nobody at a board can mend.
 */
function loadAnew() {
  fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).then(
    () => location.reload(),
    () => setTimeout(loadAnew, askAgainMs),
  );
}
