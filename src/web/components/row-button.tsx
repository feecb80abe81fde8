import { t } from '../locales/locale.ts';

interface RowButtonProps {
  readonly label: string;
  /** The row that it acts on, which tells it from the same button of other rows. */
  readonly what: string;
  readonly isDanger?: boolean;
  onClick(): void;
}

/** An action of one row of a list. */
export function RowButton({ label, what, isDanger = false, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      class={isDanger ? 'chip is-danger' : 'chip'}
      aria-label={t('outbox.about', { action: label, what })}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

interface MoveButtonProps {
  readonly id?: string;
  readonly label: string;
  readonly sign: '↑' | '↓';
  /** Null at the end of the list. */
  readonly onMove: (() => void) | null;
}

/** Moves a row of a list by one place. Stays in place at the end of the list, so that the keyboard focus is not lost. */
export function MoveButton({ id, label, sign, onMove }: MoveButtonProps) {
  return (
    <button
      type="button"
      id={id}
      class="chip"
      aria-label={label}
      aria-disabled={onMove === null}
      onClick={() => onMove?.()}
    >
      {sign}
    </button>
  );
}
