import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part of the page that is fetched when it is first wanted, so that the taps are there at once. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [Part, show] = useState(() => found);
    useEffect(() => {
      if (Part) return;
      load().then(
        (part) => {
          found = part;
          show(() => part);
        },
        // A newer page has replaced the file this one would have fetched.
        () => location.reload(),
      );
    }, [Part]);
    return Part ? <Part {...props} /> : null;
  };
}
