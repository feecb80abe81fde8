import { signal } from '@preact/signals';
import type { DisplayText } from './error-text.ts';
import { say } from './words/say.ts';

/** What was just done, and the way back. */
interface Toast {
  readonly sentence: DisplayText;
  readonly undo: (() => void) | null;
}

/** Time to read it, look at the glass, and change one's mind. */
const shownMs = 12_000;

const shown = signal<Toast | null>(null);
/** Counts what was said to be done, so that lists which show the books look again. */
export const dataVersion = signal(0);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says that something was done; with `undo` it can be taken back for a while. */
export function showToast(sentence: DisplayText, undo: (() => void) | null = null) {
  clearTimeout(timer);
  dataVersion.value += 1;
  shown.value = { sentence, undo };
  timer = setTimeout(() => {
    shown.value = null;
  }, shownMs);
}

/** The place where it is said: at the foot of the page, heard by a screen reader. */
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
              {say.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
