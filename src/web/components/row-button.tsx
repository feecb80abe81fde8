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
