import { useSignal } from '@preact/signals';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { Units } from '../../../app/format.ts';
import { useNavigate } from '../../../app/routing.ts';
import { ActionGroup, useAction } from '../../../components/action.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undoCorrection } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { EndKeg } from '../../kegs/on-tap/change-keg.tsx';

/** Deletes a tap, with undo. It says what happens to its drinks and a running pour; its keg must be ended or taken off first. */
export function DeleteTap({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  const action = useAction();
  const changedAt = useSignal('');
  const navigate = useNavigate();
  const { runAction } = action;
  const beer = tap.beverage?.name ?? (tap.keg ? t('kegs.keg', { id: tap.keg.id }) : '');

  async function remove() {
    const answer = await runAction(
      () => request('DELETE /taps/{ref}', { path: { ref: tap.id } }),
      ({ correction_id: id }) =>
        showToast(t('taps.deleted', { tap: tap.name }), id === null ? null : () => void undoCorrection(id)),
    );
    if (answer?.ok) navigate('/taps');
  }

  return (
    <section class="card tap-section" aria-labelledby="delete-tap">
      <h3 id="delete-tap">{t('taps.deleteTitle')}</h3>
      <ActionGroup action={action} class="choices">
        {tap.keg === null ? (
          <>
            <p class="soft">
              {t('taps.deleteHint')}
              {tap.pouring !== null && ` ${t('taps.deletePouring')}`}
            </p>
            <p>
              <button type="button" class="chip is-danger" onClick={() => void remove()}>
                {t('taps.delete')}
              </button>
            </p>
          </>
        ) : (
          <>
            <p>{t('taps.deleteHasKeg', { beer })}</p>
            <div class="choice">
              <EndKeg
                tap={tap}
                units={units}
                runAction={runAction}
                changedAt={changedAt}
                onEnded={() => {}}
                onUndo={() => {}}
              />
            </div>
          </>
        )}
      </ActionGroup>
    </section>
  );
}
