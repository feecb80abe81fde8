import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Wait before the daemon is asked again whether it is there, milliseconds. */
const retryMs = 2_000;

type Load<P extends object> = () => Promise<ComponentType<P>>;

/** A room of the house, fetched when somebody first comes; until then its place is marked, for who does not see the page. */
export const lazyPage = <P extends object>(load: Load<P>): ComponentType<P> =>
  lazyComponent(load, <main class="bar" aria-busy="true" />);

/** A part of the page that is fetched when it is first wanted, so that the taps are there at once. */
export function lazyComponent<P extends object>(
  load: Load<P>,
  placeholder: VNode | null = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function LazyComponent(props: P) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      load().then((part) => {
        loaded = part;
        setPart(() => part);
      }, reloadPage);
    }, [Part]);
    return Part ? <Part {...props} /> : placeholder;
  };
}

/**
 * A newer page has replaced the file this one would have fetched, or the line broke just then. A browser asks for a file
 * that failed only once; and a page loaded anew from nobody would be an error that nobody at a board can mend.
 */
function reloadPage() {
  fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).then(
    () => location.reload(),
    () => setTimeout(reloadPage, retryMs),
  );
}
