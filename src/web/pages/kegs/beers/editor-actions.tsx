import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Answer } from '../../../api/client.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { t } from '../../../locales/locale.ts';

interface EditorActionsProps {
  readonly deleteLabel: string;
  remove(): Promise<Answer<unknown>>;
  onRemoved(): void;
  /** Renders the dialog that merges a duplicate. */
  renderMerge(close: () => void): ComponentChildren;
}

/** The buttons below the form of a beer or brewery: merge and delete. */
export function EditorActions({ deleteLabel, remove, onRemoved, renderMerge }: EditorActionsProps) {
  const isMerging = useSignal(false);
  const { runAction, error, isBusy } = useAction();
  return (
    <div class="card editor-more">
      <ErrorMessage>{error}</ErrorMessage>
      <div class="row-actions">
        <button type="button" class="chip" onClick={() => (isMerging.value = true)}>
          {t('beers.mergeDuplicate')}
        </button>
        <button
          type="button"
          class="chip is-danger"
          aria-disabled={isBusy || undefined}
          onClick={() => void runAction(remove, onRemoved)}
        >
          {deleteLabel}
        </button>
      </div>
      {isMerging.value && renderMerge(() => (isMerging.value = false))}
    </div>
  );
}
