import { useSignal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { pictureTimeoutMs, request } from '../../../web/api/client.ts';
import type { Cleaning } from '../../../web/api/generated.ts';
import { formatQuantity, volume } from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ActionGroup, useAction } from '../../../web/components/action.tsx';
import { showToast } from '../../../web/components/toast.tsx';
import { findText, t } from '../../../web/locales/locale.ts';
import { CleaningPours } from './cleaning-pours.tsx';
import { ContactTimer } from './contact-timer.tsx';
import { EntryForm } from './entry-form.tsx';

const steps = ['push_out', 'cleaner', 'contact', 'rinse', 'check', 'refill'] as const;

interface GuideProps {
  readonly cleaning: Cleaning;
  readonly tap: LiveTap;
  readonly snapshot: SnapshotMessage;
}

/** The steps of a cleaning that runs: what to do now, what has flowed, and the next step. */
export function CleaningGuide({ cleaning, tap, snapshot }: GuideProps) {
  const action = useAction();
  const isFinishing = useSignal(false);
  const path = { id: cleaning.id };
  const current = cleaning.step ?? 'push_out';
  const next = steps[steps.indexOf(current) + 1];
  const setStep = (step: (typeof steps)[number]) =>
    void action.runAction(
      () => request('POST /cleanings/{id}/step', { path, body: { step } }),
      () => {},
    );
  return (
    <>
      <ol class="cleaning-steps" aria-label={t('cleaning.stepsOf')}>
        {steps.map((step) => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            <button type="button" class="chip" disabled={step === current} onClick={() => setStep(step)}>
              {findText('cleaning.steps', step)}
            </button>
          </li>
        ))}
      </ol>
      <section class="card group" aria-live="polite">
        <h3>{findText('cleaning.steps', current)}</h3>
        <p>{findText('cleaning.advice', current)}</p>
        {cleaning.contact_left_s !== null && <ContactTimer cleaning={cleaning} />}
        <ActionGroup action={action} class="row-actions">
          {next !== undefined && (
            <button type="button" class="button" onClick={() => setStep(next)}>
              {t('cleaning.next', { step: findText('cleaning.steps', next) ?? next })}
            </button>
          )}
          <button
            type="button"
            class={next === undefined ? 'button' : 'chip'}
            onClick={() => (isFinishing.value = true)}
          >
            {t('cleaning.finish')}
          </button>
          <button
            type="button"
            class="chip"
            onClick={() =>
              void action.runAction(
                () => request('POST /cleanings/{id}/open-valve', { path }),
                ({ opened }) => showToast(opened ? t('cleaning.valveOpen') : t('cleaning.noValve')),
              )
            }
          >
            {t('cleaning.openValve')}
          </button>
          <button
            type="button"
            class="chip is-danger"
            onClick={() =>
              void action.runAction(
                () => request('POST /cleanings/{id}/cancel', { path, body: {} }),
                t('cleaning.cancelled'),
              )
            }
          >
            {t('cleaning.cancel')}
          </button>
        </ActionGroup>
      </section>
      <Flows cleaning={cleaning} tap={tap} snapshot={snapshot} />
      <Photo cleaning={cleaning} />
      {isFinishing.value && (
        <section class="card group">
          <h3>{t('cleaning.finish')}</h3>
          <EntryForm
            submit={t('cleaning.addToLog')}
            {...(cleaning.steps.some(({ step }) => step === 'contact')
              ? { contactMinutes: cleaning.contact_minutes }
              : {})}
            send={(body) => request('POST /cleanings/{id}/finish', { path, body })}
            onCancel={() => (isFinishing.value = false)}
          />
        </section>
      )}
    </>
  );
}

function Flows({ cleaning, tap, snapshot }: GuideProps) {
  const parts = [
    ['beer', cleaning.beer_lost_ml],
    ['cleaner', cleaning.cleaner_ml],
    ['rinse', cleaning.rinse_ml],
  ] as const;
  const guests = cleaning.pours.filter(({ guest }) => guest);
  return (
    <section class="card group">
      <h3>{t('cleaning.flowed')}</h3>
      <dl class="cleaning-parts">
        {parts.map(([part, ml]) => (
          <div key={part}>
            <dt>{findText('cleaning.parts', part)}</dt>
            <dd>{formatQuantity(volume(ml, snapshot))}</dd>
          </div>
        ))}
      </dl>
      {tap.pouring !== null && (
        <p>{t('cleaning.flowing', { volume: formatQuantity(volume(tap.pouring.volume_ml, snapshot)) })}</p>
      )}
      {guests.length > 0 && <CleaningPours pours={guests} snapshot={snapshot} />}
    </section>
  );
}

function Photo({ cleaning }: { readonly cleaning: Cleaning }) {
  const action = useAction();
  return (
    <ActionGroup action={action} class="row-actions">
      {cleaning.picture_url !== null && (
        <img class="cleaning-photo" src={toHref(cleaning.picture_url)} alt={t('cleaning.photo')} />
      )}
      <label class="chip file-chip">
        {t('cleaning.addPhoto')}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (!file) return;
            const body = new FormData();
            body.set('image', file);
            void action.runAction(
              () =>
                request(
                  'POST /cleanings/{id}/picture',
                  { path: { id: cleaning.id }, body },
                  { timeoutMs: pictureTimeoutMs },
                ),
              t('common.saved'),
            );
          }}
        />
      </label>
    </ActionGroup>
  );
}
