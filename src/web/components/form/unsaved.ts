import { t } from '../../locales/locale.ts';

/** Forms on the page with what says whether one has typed values that are not saved. */
const forms = new Map<HTMLFormElement, () => boolean>();

/** Where the page is while a form has typed values; Back returns to it. */
let address = '';

/** True if a form below `root` has typed values that are not saved. */
export const hasUnsaved = (root: Node): boolean =>
  [...forms].some(([form, isDirty]) => root.contains(form) && isDirty());

/** Asks before typed values below `root` are lost; true if there are none, or if they may be. */
export function mayLeave(root: Node = document): boolean {
  if (!hasUnsaved(root)) return true;
  if (!confirm(t('common.leaveUnsaved'))) return false;
  // What was given up is not asked about again; a form that stays is watched again once something is typed.
  for (const form of [...forms.keys()]) if (root.contains(form)) forms.delete(form);
  return true;
}

/** Watches a form while it is on the page; returns what ends that. */
export function watchUnsaved(form: HTMLFormElement, isDirty: () => boolean): () => void {
  const watch = () => {
    forms.set(form, isDirty);
    address = location.href;
  };
  watch();
  form.addEventListener('input', watch);
  return () => {
    forms.delete(form);
    form.removeEventListener('input', watch);
  };
}

/**
 * Asks before a link, Back or closing the page loses typed values. The listeners run before those of the router, so this is
 * called before it starts.
 */
export function guardUnsaved() {
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved(document)) event.preventDefault();
  });
  addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return;
      const opensHere = link.target === '' && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      // A link to a part of this page leaves nothing.
      const isSamePage = link.hash !== '' && link.href.split('#')[0] === location.href.split('#')[0];
      if (!opensHere || isSamePage || link.origin !== location.origin || mayLeave()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  addEventListener(
    'popstate',
    (event) => {
      if (mayLeave()) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', address);
    },
    { capture: true },
  );
}
