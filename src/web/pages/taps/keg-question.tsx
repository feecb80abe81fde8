import type { LiveTap } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ActionGroup, useAction } from '../../components/action.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { showToast } from '../../components/toast.tsx';
import { undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';

/** Asks staff whether the keg is empty, after gas came out of the tap. */
export function KegQuestion({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  const action = useAction();
  const { keg_empty_since: since } = tap;
  if (since === null || tap.keg === null) return null;
  const answer = (isEmpty: boolean) =>
    action.runAction(
      () => request('POST /taps/{ref}/keg-empty', { path: { ref: tap.id }, body: { is_empty: isEmpty } }),
      ({ correction_id: id }) =>
        showToast(
          isEmpty ? t('kegs.ended') : t('taps.kegKept'),
          id === null ? null : () => void undoCorrection(id),
        ),
    );
  return (
    <div class="keg-question">
      <p>
        <strong>{t('taps.kegEmptyQuestion', { time: formatBarTime(barTime(since, units)) })}</strong>
      </p>
      <ActionGroup action={action} class="choice">
        <Choice onChoose={() => void answer(true)}>{t('kegs.endKeg')}</Choice>
        <Choice onChoose={() => void answer(false)}>{t('taps.kegNotEmpty')}</Choice>
      </ActionGroup>
    </div>
  );
}
