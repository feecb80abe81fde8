import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { fileHref, request } from '../../../web/api/client.ts';
import type { Cleaning, CleaningEntry } from '../../../web/api/generated.ts';
import { formatBarDay, formatDecimal, formatQuantity, toBarInput, volume } from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ActionGroup, ErrorMessage, useAction } from '../../../web/components/action.tsx';
import type { PageProps } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';
import { CleaningFrame } from './cleaning-frame.tsx';
import { EntryForm } from './entry-form.tsx';
import { ManualEntry } from './manual-entry.tsx';

/** The log of cleanings, for an inspector: on screen, on paper, and as a file. */
export function CleaningLogPage({ snapshot }: PageProps) {
  const tap = useSignal('');
  const since = useSignal('');
  const until = useSignal('');
  const filter = {
    ...(tap.value === '' ? {} : { tap: tap.value }),
    ...(since.value === '' ? {} : { since: `${since.value}T00:00:00` }),
    ...(until.value === '' ? {} : { until: `${until.value}T23:59:59` }),
  };
  const { result, error } = useResource('GET /cleanings', { query: { limit: 500, ...filter } });
  const [tapId, sinceId, untilId] = [useId(), useId(), useId()];
  return (
    <CleaningFrame title={t('cleaning.log')}>
      <p class="print-only">
        {snapshot.title} · {t('cleaning.log')}
      </p>
      <div class="filters no-print">
        <div class="field">
          <label for={tapId}>{t('common.tap')}</label>
          <select
            id={tapId}
            value={tap.value}
            onChange={({ currentTarget }) => (tap.value = currentTarget.value)}
          >
            <option value="">{t('cleaning.allTaps')}</option>
            {snapshot.taps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={sinceId}>{t('cleaning.from')}</label>
          <input
            id={sinceId}
            type="date"
            value={since.value}
            onInput={({ currentTarget }) => (since.value = currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for={untilId}>{t('cleaning.until')}</label>
          <input
            id={untilId}
            type="date"
            value={until.value}
            onInput={({ currentTarget }) => (until.value = currentTarget.value)}
          />
        </div>
      </div>
      <div class="row-actions no-print">
        <button type="button" class="chip" onClick={() => print()}>
          {t('common.print')}
        </button>
        <a class="chip" href={fileHref('GET /cleaning-log.csv', { query: filter })} download>
          CSV
        </a>
        <a
          class="chip"
          href={fileHref('GET /cleaning-log.csv', { query: { ...filter, dialect: 'excel' } })}
          download
        >
          Excel
        </a>
      </div>
      <details class="card no-print">
        <summary>{t('cleaning.addLater')}</summary>
        <ManualEntry snapshot={snapshot} />
      </details>
      <ErrorMessage>{error}</ErrorMessage>
      {result?.cleanings.length === 0 && <p class="soft">{t('cleaning.emptyLog')}</p>}
      {result !== null && result.cleanings.length < result.paging.total && (
        <p role="status">
          {t('cleaning.logPart', { shown: result.cleanings.length, total: result.paging.total })}
        </p>
      )}
      <ul class="cleaning-list">
        {result?.cleanings.map((cleaning) => (
          <LogRow key={cleaning.id} cleaning={cleaning} snapshot={snapshot} />
        ))}
      </ul>
    </CleaningFrame>
  );
}

function LogRow({ cleaning, snapshot }: { readonly cleaning: Cleaning; readonly snapshot: SnapshotMessage }) {
  const isCorrecting = useSignal(false);
  const action = useAction();
  const [entry, ...earlier] = cleaning.entries;
  if (entry === undefined) return null;
  const path = { id: cleaning.id };
  return (
    <li class="card group cleaning-entry">
      <Entry entry={entry} snapshot={snapshot} />
      {entry.withdrawn === false && (
        <p>
          {(
            [
              ['beer', cleaning.beer_lost_ml],
              ['cleaner', cleaning.cleaner_ml],
              ['rinse', cleaning.rinse_ml],
            ] as const
          )
            .map(
              ([part, ml]) => `${findText('cleaning.parts', part)} ${formatQuantity(volume(ml, snapshot))}`,
            )
            .join(' · ')}
        </p>
      )}
      {cleaning.picture_url !== null && (
        <img class="cleaning-photo" src={toHref(cleaning.picture_url)} alt={t('cleaning.photo')} />
      )}
      {earlier.map((one) => (
        <div key={one.id} class="cleaning-corrected">
          <p>{t('cleaning.corrected')}</p>
          <Entry entry={one} snapshot={snapshot} />
        </div>
      ))}
      {isCorrecting.value ? (
        <EntryForm
          submit={t('cleaning.addCorrection')}
          entry={entry}
          send={(body) =>
            request('POST /cleanings/{id}/entries', { path, body: { entry_id: entry.id, ...body } })
          }
          onDone={() => (isCorrecting.value = false)}
          onCancel={() => (isCorrecting.value = false)}
        />
      ) : (
        <ActionGroup action={action} class="row-actions no-print">
          <button type="button" class="chip" onClick={() => (isCorrecting.value = true)}>
            {t('cleaning.correct')}
          </button>
          <button
            type="button"
            class="chip"
            onClick={() =>
              void action.runAction(
                () =>
                  entry.withdrawn
                    ? request('POST /cleanings/{id}/entries', {
                        path,
                        body: { entry_id: entry.id, withdrawn: false },
                      })
                    : request('POST /cleanings/{id}/withdraw', { path, body: { entry_id: entry.id } }),
                t('common.saved'),
              )
            }
          >
            {entry.withdrawn ? t('cleaning.enterAgain') : t('cleaning.withdraw')}
          </button>
        </ActionGroup>
      )}
    </li>
  );
}

function Entry({ entry, snapshot }: { readonly entry: CleaningEntry; readonly snapshot: SnapshotMessage }) {
  const figure = (value: number | null, unit: string) =>
    value === null ? null : `${formatDecimal(value)} ${unit}`;
  const time = (iso: string) => toBarInput(iso, snapshot).slice(11);
  const facts = [
    entry.agent,
    figure(entry.concentration_percent, '%'),
    figure(entry.temp_c, '°C'),
    figure(entry.contact_minutes, 'min'),
    entry.method === null ? null : findText('cleaning.methods', entry.method),
    entry.rinse_ph === null ? null : `pH ${formatDecimal(entry.rinse_ph)}`,
  ].filter(Boolean);
  return (
    <div data-withdrawn={entry.withdrawn}>
      <p>
        <strong>
          {formatBarDay(entry.started_time, snapshot)} {time(entry.started_time)}–{time(entry.ended_time)}
        </strong>
        {' · '}
        {entry.tap}
        {entry.beverage !== null && ` (${entry.beverage})`}
        {' · '}
        {findText('cleaning.kinds', entry.kind)}
        {' · '}
        <strong>
          {entry.withdrawn ? t('cleaning.withdrawn') : findText('cleaning.results', entry.result)}
        </strong>
      </p>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      <p class="soft">
        {t('cleaning.by', { person: entry.cleaned_by ?? entry.user_id ?? '–' })}
        {entry.checked_by !== null && ` · ${t('cleaning.checkedByWhom', { person: entry.checked_by })}`}
        {' · '}
        {t('cleaning.written', {
          time: `${formatBarDay(entry.time, snapshot)} ${time(entry.time)}`,
          person: entry.user_id ?? '–',
        })}
      </p>
      {entry.note !== null && <p>{entry.note}</p>}
    </div>
  );
}
