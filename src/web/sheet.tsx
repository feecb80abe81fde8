import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { say } from './words/say.ts';

interface SheetProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A dialog over the page: the browser keeps focus inside, and Escape, its button or a touch beside it closes it. */
export function Sheet({ title, children, onClose }: SheetProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
      <div class="sheet-body">
        <header class="sheet-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="sheet-close" onClick={onClose}>
            {say.close}
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
