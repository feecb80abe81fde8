import { useNavigate } from '../../../app/routing.ts';

/** The parts of the browser's Navigation API that are used here; older browsers lack it. */
interface BrowserNavigation {
  readonly currentEntry: { readonly index: number } | null;
  entries(): readonly { readonly sameDocument: boolean }[];
}

/**
 * Returns a function that leaves an editor: back to the page before, where that needs no reload, which would lose the toast
 * with its undo; else to `path`.
 */
export function useLeave(path: string): () => void {
  const navigate = useNavigate();
  return () => {
    const navigation = Reflect.get(globalThis, 'navigation') as BrowserNavigation | undefined;
    const index = navigation?.currentEntry?.index ?? 0;
    const isSameDocument = navigation?.entries()[index - 1]?.sameDocument ?? false;
    if (isSameDocument) history.back();
    else navigate(path);
  };
}
