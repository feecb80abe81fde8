import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { barTime, formatBarTime, type Units } from '../../../app/format.ts';
import { isSuperuser } from '../../../app/me.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { KeptVersions } from './kept-versions.tsx';
import { NewVersions } from './new-versions.tsx';
import { Progress } from './progress.tsx';
import { describeLast, type Updates } from './updates-data.ts';
import '../../../styles/site/updates.css';

/** A change of the version takes some minutes, and its stages some seconds. */
const busyRefreshMs = 2_000;
const idleRefreshMs = 30_000;

/** Updates: which version runs, what is new, what is under way, and how the last change ended. */
export function UpdatesPage({ snapshot }: PageProps) {
  return (
    <Page title={t('updates.title')} requiredRole="staff">
      {isSuperuser.value ? <Content units={snapshot} /> : <p class="refusal">{t('updates.superusers')}</p>}
    </Page>
  );
}

function Content({ units }: { readonly units: Units }) {
  const intervalMs = useSignal(idleRefreshMs);
  const { result, error } = useResource('GET /admin/updates', {}, { intervalMs: intervalMs.value });
  const updates = result?.updates ?? null;
  const isUnderWay = updates?.under_way != null;
  useEffect(() => {
    intervalMs.value = isUnderWay ? busyRefreshMs : idleRefreshMs;
  }, [isUnderWay]);
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  // While the version is switched the daemon does not answer for some seconds.
  const isRestarting = isUnderWay && error !== null;
  return (
    <>
      <ErrorMessage>{isRestarting ? null : error}</ErrorMessage>
      {updates !== null && (
        <div class="stack">
          <RunningVersion updates={updates} formatTime={formatTime} />
          <p class="status" role="status">
            {isRestarting && t('updates.restarting')}
          </p>
          {updates.under_way !== null && <Progress underWay={updates.under_way} />}
          {updates.is_package && (
            <>
              <NewVersions updates={updates} formatTime={formatTime} />
              <KeptVersions updates={updates} />
            </>
          )}
        </div>
      )}
    </>
  );
}

interface RunningVersionProps {
  readonly updates: Updates;
  formatTime(iso: string): string;
}

function RunningVersion({ updates, formatTime }: RunningVersionProps) {
  const { version, is_package: isPackage, last, under_way: underWay } = updates;
  const loaded = useSignal(version);
  return (
    <section class="card group" aria-labelledby="running">
      <h3 id="running">{t('updates.running', { version })}</h3>
      {!isPackage && <p>{t('updates.checkout')}</p>}
      {last !== null && underWay === null && (
        <>
          <p role="status">{describeLast(last)}</p>
          <p class="soft">{t('updates.last.time', { time: formatTime(last.time) })}</p>
          <Detail>{last.detail}</Detail>
        </>
      )}
      {version !== loaded.value && (
        <p>
          {t('updates.oldPage')}{' '}
          <button type="button" class="chip" onClick={() => location.reload()}>
            {t('updates.reload')}
          </button>
        </p>
      )}
    </section>
  );
}

/** What the program printed, in English. */
function Detail({ children }: { readonly children: string }) {
  if (children === '') return null;
  return (
    <details>
      <summary>{t('updates.details')}</summary>
      <p class="update-text" lang="en">
        {children}
      </p>
    </details>
  );
}
