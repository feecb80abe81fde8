import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Wait before the next try to reach the daemon, milliseconds. */
const retryMs = 2_000;

type Load<P extends object> = () => Promise<ComponentType<P>>;

/**
 * Loads a page on first use. A busy `main` takes its place meanwhile, so that screen readers find the
 * landmark.
 */
export const lazyPage = <P extends object>(load: Load<P>): ComponentType<P> =>
  lazyComponent(load, <main class="bar" aria-busy="true" />);

/** Loads a component on first use, so that the taps are shown without delay. */
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
 * Reloads the page after a failed import: an update has replaced the file, or the connection was lost.
 * Browsers do not fetch a failed module again. Waits until the daemon responds, because a kiosk cannot leave
 * the browser's error page.
 */
function reloadPage() {
  fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' }).then(
    () => location.reload(),
    () => setTimeout(reloadPage, retryMs),
  );
}
