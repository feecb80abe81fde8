import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const title = signal<string | null>(null);

/** Title of the page at the current path; null on the taps. */
export const pageTitle: ReadonlySignal<string | null> = title;

/** Shows a page's title in the browser's tab, before the name of the bar. */
export function usePageTitle(name: string) {
  useEffect(() => {
    title.value = name;
    return () => {
      title.value = null;
    };
  }, [name]);
}
