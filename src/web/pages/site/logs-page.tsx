import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Result } from '../../api/client.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { BugReport } from './bug-report.tsx';

type Level = Result<'GET /admin/logs'>['logs'][number]['level'];

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const satisfies readonly Level[];

/** The latest log lines, newest first. */
export function LogsPage({ snapshot }: PageProps) {
  return (
    <Page title={t('logs.title')} requiredRole="staff">
      <LogLines units={snapshot} />
    </Page>
  );
}

function LogLines({ units }: { readonly units: Units }) {
  const id = useId();
  const level = useSignal<Level>('info');
  const { result, error, reload } = useResource('GET /admin/logs', {
    query: { limit: 1000, level: level.value },
  });
  return (
    <>
      <div class="filters">
        <label class="field" for={id}>
          {t('logs.minLevel')}
          <select
            id={id}
            value={level.value}
            onChange={(event) => (level.value = event.currentTarget.value as Level)}
          >
            {levels.map((name) => (
              <option key={name} value={name}>
                {t(`logs.levels.${name}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="row-actions">
        <button type="button" class="chip" onClick={reload}>
          {t('logs.refresh')}
        </button>
        <BugReport />
        <a class="chip" href={toHref('/licences.txt')} target="_self">
          {t('logs.licences')}
        </a>
      </div>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="card">
        {result?.logs.length === 0 && <p class="soft">{t('logs.noLogs')}</p>}
        <ul class="log" aria-label={t('logs.title')}>
          {result?.logs.map((line, index) => (
            <li key={`${line.time} ${index}`} data-level={line.level}>
              <p>
                <time class="soft" dateTime={line.time}>
                  {formatBarTime(barTime(line.time, units))}
                </time>{' '}
                <strong>{line.level}</strong> {line.msg}
              </p>
              {line.details !== '' && line.details !== '{}' && <p class="log-details">{line.details}</p>}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
