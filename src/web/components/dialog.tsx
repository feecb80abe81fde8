import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isConnectionLost } from '../app/connection.ts';
import { t } from '../locales/locale.ts';
import { hasUnsaved, mayLeave } from './form/unsaved.ts';
import { moveToastToDialog, Toaster } from './toast.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/**
 * A modal dialog. The browser keeps the focus inside; Escape, the button or a touch outside closes it, after a question if what
 * is typed is not saved. It says when the connection is lost.
 */
export function Dialog({ title, children, onClose }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const isRemoved = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    const returnToast = moveToastToDialog(id);
    return () => {
      returnToast();
      isRemoved.current = true;
      dialog?.close();
    };
  }, []);
  const leave = () => {
    if (element.current && mayLeave(element.current)) onClose();
  };
  // The browser would close the dialog at Escape without asking when it has asked before.
  const leaveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !element.current) return;
    if (!hasUnsaved(element.current)) return;
    event.preventDefault();
    leave();
  };
  // The browser reports the close above later, when the next dialog may be open already.
  const reportClose = () => {
    if (!isRemoved.current) onClose();
  };
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onClose={reportClose}
      onKeyDown={leaveByKey}
      onPointerDown={(event) => event.target === element.current && leave()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="dialog-close" onClick={leave}>
            {t('common.close')}
          </button>
        </header>
        {isConnectionLost.value && <p class="refusal">{t('app.noConnection')}</p>}
        {children}
      </div>
      <Toaster dialogId={id} />
    </dialog>
  );
}
