import type { ComponentChildren } from 'preact';
import type { Answer } from '../../../api/client.ts';
import { ActionGroup, useAction } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

interface MergeFormProps {
  /** Name of the beer or brewery that stays. */
  readonly keptName: string;
  /** Name of the chosen duplicate; null before one is chosen. */
  readonly duplicateName: string | null;
  /** What happens to what the duplicate has. */
  readonly explanation: string;
  merge(): Promise<Answer<{ readonly merge_id: number }>>;
  onClose(): void;
  /** The chooser of the duplicate. */
  readonly children: ComponentChildren;
}

/** Dialog that merges a duplicate; the toast has an undo. */
export function MergeForm({
  keptName,
  duplicateName,
  explanation,
  merge,
  onClose,
  children,
}: MergeFormProps) {
  const action = useAction();
  async function run() {
    if (duplicateName === null) return;
    const answer = await action.runAction(merge, ({ merge_id }) =>
      showUndoable(t('beers.merged', { name: duplicateName, kept: keptName }), { correction_id: merge_id }),
    );
    if (answer?.ok) onClose();
  }
  return (
    <Dialog title={t('beers.mergeInto', { name: keptName })} onClose={onClose}>
      <ActionGroup action={action} class="form">
        <p class="soft">{explanation}</p>
        {children}
        <div class="form-buttons">
          <button
            type="button"
            class="button"
            aria-disabled={duplicateName === null || action.isBusy}
            onClick={() => void run()}
          >
            {t('beers.merge')}
          </button>
          <button type="button" class="chip" onClick={onClose}>
            {t('common.cancel')}
          </button>
        </div>
      </ActionGroup>
    </Dialog>
  );
}
