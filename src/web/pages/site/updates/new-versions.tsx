import { request } from '../../../api/client.ts';
import { formatProblem } from '../../../app/problem-text.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { listFieldLabels } from '../../../components/form/schema-fields.ts';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { t } from '../../../locales/locale.ts';
import { chooseNotes, formatHour, formatMegabytes, type Updates } from './updates-data.ts';

/** The daemon waits for another server. */
const checkTimeoutMs = 60_000;

interface NewVersionsProps {
  readonly updates: Updates;
  formatTime(iso: string): string;
}

/** What is new, when it is installed, and the settings of the check. */
export function NewVersions({ updates, formatTime }: NewVersionsProps) {
  const { check } = updates;
  return (
    <>
      <section class="card group" aria-labelledby="new">
        <h3 id="new">{t('updates.new')}</h3>
        {check.has_address ? (
          <Available updates={updates} formatTime={formatTime} />
        ) : (
          <p>{t('updates.noAddress')}</p>
        )}
      </section>
      {check.has_address && (
        <section class="group" aria-labelledby="update-settings">
          <h3 id="update-settings">{t('updates.settings')}</h3>
          <p class="soft">{t('updates.privacy')}</p>
          <SettingsForm
            path="/site"
            resultKey="site"
            fieldLabels={listFieldLabels('site.labels', 'site.choices')}
            only={['updates_check', 'updates_install', 'updates_hour']}
          />
        </section>
      )}
    </>
  );
}

function Available({ updates, formatTime }: NewVersionsProps) {
  const { under_way: underWay, check } = updates;
  const { available, problem, planned_version: planned, last_time: lastTime } = check;
  const { runAction, error, isBusy } = useAction();
  const hour = formatHour(check.quiet_hour);
  // What the settings below plan is changed there.
  const isAutomatic = check.is_enabled && check.installs === 'quiet_hour';
  const install = (when: 'now' | 'quiet_hour') =>
    void runAction(
      () => request('POST /admin/updates/install', { body: { when } }),
      when === 'now' ? t('updates.installRequested') : t('common.saved'),
    );
  const cancel = () =>
    void runAction(() => request('DELETE /admin/updates/plan', {}), t('updates.planCancelled'));
  const look = () =>
    void runAction(
      () => request('POST /admin/updates/check', {}, { timeoutMs: checkTimeoutMs }),
      t('updates.checked'),
    );
  return (
    <>
      {available === null && <p>{t('updates.noneNew')}</p>}
      {available !== null && (
        <>
          <p>
            {t('updates.available', {
              version: available.version,
              day: formatTime(available.release_time),
              megabytes: formatMegabytes(available.size_bytes),
            })}
          </p>
          <p class="update-text">{chooseNotes(available.notes)}</p>
          {planned !== null && <p>{t('updates.planned', { version: planned, hour })}</p>}
        </>
      )}
      <p class="soft">
        {lastTime === null
          ? t('updates.neverChecked')
          : t('updates.lastChecked', { time: formatTime(lastTime) })}
      </p>
      <ErrorMessage>{error ?? (problem && formatProblem(problem))}</ErrorMessage>
      <p class="row-actions">
        {available !== null && underWay === null && (
          <>
            <button type="button" class="chip" disabled={isBusy} onClick={() => install('now')}>
              {t('updates.installNow')}
            </button>
            {planned === null && (
              <button type="button" class="chip" disabled={isBusy} onClick={() => install('quiet_hour')}>
                {t('updates.installAt', { hour })}
              </button>
            )}
            {planned !== null && !isAutomatic && (
              <button type="button" class="chip" disabled={isBusy} onClick={cancel}>
                {t('updates.cancelPlan')}
              </button>
            )}
          </>
        )}
        <button type="button" class="chip" disabled={isBusy} onClick={look}>
          {t('updates.checkNow')}
        </button>
      </p>
    </>
  );
}
