import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { toHref } from '../../app/current-path.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words as ownWords } from '../../words/account.ts';
import { words } from '../../words/pages.ts';
import { BugReport } from './bug-report.tsx';

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly details: string;
}

/** The latest log lines, newest first. */
export function LogsPage({ snapshot }: PageProps) {
  return (
    <Page title={words.logs} requiredRole="staff">
      <LogLines units={snapshot} />
    </Page>
  );
}

function LogLines({ units }: { readonly units: Units }) {
  const id = useId();
  const level = useSignal('info');
  const { result, error, reload } = useResource<{ readonly logs: readonly LogLine[] }>(
    `/admin/logs?limit=300&level=${level.value}`,
  );
  return (
    <>
      <div class="filters">
        <label class="field" for={id}>
          {words.minLevel}
          <select id={id} value={level.value} onChange={(event) => (level.value = event.currentTarget.value)}>
            {Object.entries(words.levels).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="row-actions">
        <button type="button" class="chip" onClick={reload}>
          {words.refresh}
        </button>
        <BugReport />
        <a class="chip" href={toHref('/licences.txt')} target="_self">
          {ownWords.licences}
        </a>
      </div>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="card">
        {result?.logs.length === 0 && <p class="soft">{words.noLogs}</p>}
        <ul class="log" aria-label={words.logs}>
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
