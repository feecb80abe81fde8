/** Brings the first field of the section with this heading into view, with the focus. */
export function focusField(headingId: string) {
  const section = document.getElementById(headingId)?.closest('section');
  section?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea')?.focus();
}
