import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../locales/locale.ts';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A modal dialog. The browser keeps the focus inside; Escape, the button or a touch outside closes it. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const isRemoved = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
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
        {children}
      </div>
    </dialog>
  );
}
