import { useEffect, useRef } from 'preact/hooks';
import { isInput, isTyped } from './read-form.ts';
import { watchUnsaved } from './unsaved.ts';

/**
 * The reference of a form that is no `Form`: leaving the page asks while `isDirty` says so, or without it while an input with a
 * name differs from its default value.
 */
export function useUnsaved(isDirty?: () => boolean) {
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef(isDirty);
  latest.current = isDirty;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const isTypedIn = () =>
      [...element.elements].some((one) => isInput(one) && one.name !== '' && isTyped(one));
    return watchUnsaved(element, () => (latest.current ?? isTypedIn)());
  }, []);
  return form;
}
