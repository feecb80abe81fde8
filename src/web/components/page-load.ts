import { type ReadonlySignal, signal } from '@preact/signals';
import { type ComponentChildren, createContext, h } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';

/** After this time a page is shown though some of its data are still missing, milliseconds. */
const longestMs = 1_500;

/** What a page loads before it is shown: each answer that came later would move what somebody reads or types. */
interface PageLoad {
  /** True from the first time on that nothing is being loaded. */
  readonly isComplete: ReadonlySignal<boolean>;
  /** Called before a request; returns a function to be called after its answer. */
  begin(): () => void;
  complete(): void;
}

const nothing = () => {};

const PageLoadContext = createContext<PageLoad>({
  isComplete: signal(true),
  begin: () => nothing,
  complete: nothing,
});

/** What the page around a component still loads. */
export const usePageLoad = (): PageLoad => useContext(PageLoadContext);

/** Around the component of a page: counts what it and its parts load. */
export function PageLoading({ children }: { readonly children: ComponentChildren }) {
  const load = useMemo(createPageLoad, []);
  return h(PageLoadContext.Provider, { value: load }, children);
}

/** True once the page can be shown; for its frame. */
export function useCompletePage(): boolean {
  const { isComplete, begin, complete } = usePageLoad();
  useEffect(() => {
    begin()();
    const timer = setTimeout(complete, longestMs);
    return () => clearTimeout(timer);
  }, []);
  return isComplete.value;
}

function createPageLoad(): PageLoad {
  const isComplete = signal(false);
  let pending = 0;
  const complete = () => {
    isComplete.value = true;
  };
  const end = () => {
    pending -= 1;
    if (pending === 0) complete();
  };
  return {
    isComplete,
    begin() {
      if (isComplete.value) return nothing;
      pending += 1;
      let isOpen = true;
      return () => {
        if (isOpen) afterEffects(end);
        isOpen = false;
      };
    },
    complete,
  };
}

/** Calls a function when parts that have got their data were rendered and have begun to load what they need themselves. */
function afterEffects(call: () => void) {
  // Effects run after the frame that follows the rendering.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(call)));
}
