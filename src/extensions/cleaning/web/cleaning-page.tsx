import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../../web/api/client.ts';
import type { Cleaning } from '../../../web/api/generated.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ActionGroup, ErrorMessage, useAction } from '../../../web/components/action.tsx';
import type { PageProps } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';
import { CleaningFrame } from './cleaning-frame.tsx';
import { CleaningPlans } from './cleaning-plans.tsx';
import { CleaningPours } from './cleaning-pours.tsx';
import { CleaningQuestions } from './cleaning-questions.tsx';
import { EntryForm } from './entry-form.tsx';

/** What runs, what was not ended, what may have been a cleaning, and what is due. */
export function CleaningPage({ snapshot }: PageProps) {
  const reloadKey = `${snapshot.taps.map(({ cleaning }) => cleaning?.step ?? '').join()}/${snapshot.cleaning_questions}`;
  const { result, error } = useResource('GET /cleanings/running', {}, { reloadKey });
  return (
    <CleaningFrame title={t('cleaning.title')}>
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && result.cleanings.length > 0 && (
        <section class="group" aria-labelledby="cleaning-running">
          <h3 id="cleaning-running">{t('cleaning.running')}</h3>
          <ul class="cleaning-list">
            {result.cleanings.map((cleaning) => (
              <li key={cleaning.id} class="card cleaning-row">
                <p>
                  <strong>{cleaning.tap_name}</strong>{' '}
                  {cleaning.step !== null && findText('cleaning.steps', cleaning.step)}
                </p>
                <a class="button" href={toHref(`/taps/${cleaning.tap_id}/cleaning`)}>
                  {t('cleaning.continue')}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {result?.unfinished.map((cleaning) => (
        <Unfinished key={cleaning.id} cleaning={cleaning} snapshot={snapshot} />
      ))}
      <CleaningQuestions snapshot={snapshot} />
      <CleaningPlans snapshot={snapshot} />
    </CleaningFrame>
  );
}

/** A cleaning that nobody ended: complete its entry, dismiss it, or make its pours drinks. */
function Unfinished({
  cleaning,
  snapshot,
}: {
  readonly cleaning: Cleaning;
  readonly snapshot: SnapshotMessage;
}) {
  const action = useAction();
  const isAsking = useSignal(false);
  const path = { id: cleaning.id };
  const poured = cleaning.pours.reduce((sum, pour) => sum + pour.volume_ml, 0);
  const cancel = (wereDrinks: boolean) =>
    void action.runAction(
      () => request('POST /cleanings/{id}/cancel', { path, body: { pours_were_drinks: wereDrinks } }),
      t('common.saved'),
    );
  return (
    <section class="card group" aria-labelledby={`unfinished-${cleaning.id}`}>
      <h3 id={`unfinished-${cleaning.id}`}>{t('cleaning.unfinished', { tap: cleaning.tap_name })}</h3>
      <p>
        {t('cleaning.unfinishedMore', {
          time: formatBarTime(barTime(cleaning.started_time, snapshot)),
          volume: formatQuantity(volume(poured, snapshot)),
        })}
      </p>
      <ActionGroup action={action} class="row-actions">
        <button
          type="button"
          class="chip"
          aria-expanded={isAsking.value}
          onClick={() => (isAsking.value = !isAsking.value)}
        >
          {t('cleaning.dismiss')}
        </button>
        {poured > 0 && (
          <button type="button" class="chip" onClick={() => cancel(true)}>
            {t('cleaning.wereDrinks')}
          </button>
        )}
      </ActionGroup>
      {isAsking.value && (
        <div class="row-actions">
          <p>{t('cleaning.dismissWhy')}</p>
          <button type="button" class="chip" onClick={() => cancel(false)}>
            {t('cleaning.dismissNow')}
          </button>
        </div>
      )}
      {cleaning.pours.length > 0 && (
        <details>
          <summary>{t('cleaning.flowed')}</summary>
          <CleaningPours pours={cleaning.pours} snapshot={snapshot} />
        </details>
      )}
      <details>
        <summary>{t('cleaning.complete')}</summary>
        <EntryForm
          submit={t('cleaning.addToLog')}
          send={(body) => request('POST /cleanings/{id}/finish', { path, body })}
        />
      </details>
    </section>
  );
}
