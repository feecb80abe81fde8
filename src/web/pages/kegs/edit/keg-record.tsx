import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import type { Keg } from '../../../api/generated.ts';
import type { Units } from '../../../app/format.ts';
import { isStaff } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { KegEditor } from './keg-editor.tsx';

interface KegRecordProps {
  readonly keg: Keg;
  readonly units: Units;
  /** Called after the keg was changed. */
  onChanged?(): void;
  /** Called after the keg was deleted. */
  onDeleted(): void;
}

/** Edits or deletes a keg, for staff. A keg that was poured from stays, so that its drinks keep it. */
export function KegRecord({ keg, units, onChanged, onDeleted }: KegRecordProps) {
  const isEditing = useSignal(false);
  const { runAction, error, isBusy } = useAction();
  if (!isStaff.value) return null;
  const hasDrinks = keg.served_volume_ml > 0 || keg.spilled_ml > 0;

  async function remove() {
    const answer = await runAction(
      () => request('DELETE /kegs/{id}', { path: { id: keg.id } }),
      (result) => showUndoable(t('kegs.deleted', { id: keg.id }), result),
    );
    if (answer?.ok) onDeleted();
  }

  return (
    <div class="group">
      <ErrorMessage>{error}</ErrorMessage>
      <div class="row-actions">
        <button type="button" class="chip" onClick={() => (isEditing.value = true)}>
          {t('kegs.edit')}
        </button>
        {!hasDrinks && (
          <button
            type="button"
            class="chip is-danger"
            aria-disabled={isBusy || undefined}
            onClick={() => void remove()}
          >
            {t('kegs.delete')}
          </button>
        )}
      </div>
      {hasDrinks && (
        <p class="soft">{t(keg.state === 'finished' ? 'kegs.staysInRecords' : 'kegs.notDeletable')}</p>
      )}
      {isEditing.value && (
        <KegEditor
          keg={keg}
          units={units}
          onClose={() => (isEditing.value = false)}
          {...(onChanged && { onChanged })}
        />
      )}
    </div>
  );
}
