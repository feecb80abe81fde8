import { signal } from '@preact/signals';
import type { DisplayText } from '../app/error-text.ts';
import { t } from '../locales/locale.ts';

/** A message about an action, with its undo. */
interface Toast {
  readonly sentence: DisplayText;
  readonly undo: (() => void) | null;
}

/** Time to read the message and to undo the action, milliseconds. */
const shownMs = 15_000;

const shown = signal<Toast | null>(null);
/** Ids of the open dialogs, the topmost last. */
const dialogs = signal<readonly string[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message about an action; with `undo` the toast has an undo button. */
export function showToast(sentence: DisplayText, undo: (() => void) | null = null) {
  clearTimeout(timer);
  shown.value = { sentence, undo };
  timer = setTimeout(() => {
    shown.value = null;
  }, shownMs);
}

/** Shows the toast in the dialog with that id, which is on top now; returns a function that ends it. */
export function moveToastToDialog(id: string): () => void {
  dialogs.value = [...dialogs.value, id];
  return () => {
    dialogs.value = dialogs.value.filter((one) => one !== id);
  };
}

/**
 * Shows the toast at the foot of the page and announces it to screen readers. While a dialog is open the toast is in the
 * topmost one, because the browser disables everything outside it.
 */
export function Toaster({ dialogId }: { readonly dialogId?: string }) {
  const isHere = dialogs.value.at(-1) === dialogId;
  const toast = isHere ? shown.value : null;
  function undoOnce() {
    if (toast === null || shown.value !== toast) return;
    shown.value = null;
    toast.undo?.();
  }
  return (
    <div class="toaster" role="status">
      {toast && (
        <p class="toast">
          <span>{toast.sentence}</span>
          {toast.undo && (
            <button type="button" class="toast-undo" onClick={undoOnce}>
              {t('common.undo')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
