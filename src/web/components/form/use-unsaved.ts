import { useEffect, useRef } from 'preact/hooks';
import { isInput, isTyped } from './read-form.ts';
import { watchUnsaved } from './unsaved.ts';

/** The reference of a form that is no `Form`: leaving the page asks while an input with a name differs from its default value. */
export function useUnsaved() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    return watchUnsaved(element, () =>
      [...element.elements].some((one) => isInput(one) && one.name !== '' && isTyped(one)),
    );
  }, []);
  return form;
}
