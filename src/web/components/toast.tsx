import { signal } from '@preact/signals';
import type { DisplayText } from '../app/error-text.ts';
import { t } from '../locales/locale.ts';

/** A message about an action, with its undo. */
interface Toast {
  readonly sentence: DisplayText;
  readonly undo: (() => void) | null;
}

/** Time to read the message and to undo the action, milliseconds. */
const shownMs = 12_000;

const shown = signal<Toast | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message about an action; with `undo` the toast has an undo button. */
export function showToast(sentence: DisplayText, undo: (() => void) | null = null) {
  clearTimeout(timer);
  shown.value = { sentence, undo };
  timer = setTimeout(() => {
    shown.value = null;
  }, shownMs);
}

/** Shows the toast at the foot of the page and announces it to screen readers. */
export function Toaster() {
  const toast = shown.value;
  return (
    <div class="toaster" role="status">
      {toast && (
        <p class="toast">
          <span>{toast.sentence}</span>
          {toast.undo && (
            <button
              type="button"
              class="toast-undo"
              onClick={() => {
                shown.value = null;
                toast.undo?.();
              }}
            >
              {t('common.undo')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
