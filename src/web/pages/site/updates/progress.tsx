import { request } from '../../../api/client.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { t } from '../../../locales/locale.ts';
import { describeStage, findShare, type UnderWay } from './updates-data.ts';

/** What is under way, and how it is ended: cancelled before the switch, taken back during the trial. */
export function Progress({ underWay }: { readonly underWay: UnderWay }) {
  const {
    from_version: from,
    to_version: to,
    kind,
    stage,
    can_cancel: canCancel,
    is_ending: isEnding,
  } = underWay;
  const { runAction, error, isBusy } = useAction();
  const end = () =>
    void runAction(
      () => request('POST /admin/updates/switch', { body: { version: from } }),
      t('updates.endRequested'),
    );
  return (
    <section class="card group" aria-labelledby="under-way">
      <h3 id="under-way">
        {kind === 'update' ? t('updates.updating', { to }) : t('updates.goingBack', { to })}
      </h3>
      <progress class="update-progress" max={1} value={findShare(stage)} aria-labelledby="under-way" />
      <p role="status">{describeStage(underWay)}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {(canCancel || stage === 'trial') && !isEnding && (
        <p class="row-actions">
          <button type="button" class="chip" disabled={isBusy} onClick={end}>
            {canCancel ? t('common.cancel') : t('updates.goBackTo', { version: from })}
          </button>
        </p>
      )}
    </section>
  );
}
