import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isConnectionLost } from '../app/connection.ts';
import { t } from '../locales/locale.ts';
import { moveToastToDialog, Toaster } from './toast.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/**
 * A modal dialog. The browser keeps the focus inside; Escape, the button or a touch outside closes it. It says when the
 * connection is lost.
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
      onPointerDown={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="dialog-close" onClick={onClose}>
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
