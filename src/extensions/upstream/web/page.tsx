import { request } from '../../../web/api/client.ts';
import { formatProblem } from '../../../web/app/problem-text.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { Page } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';

const refreshMs = 5_000;

/** State of reporting to another server, and the reports that the server refused. */
export function UpstreamPage() {
  return (
    <Page title={t('upstream.title')} requiredRole="staff">
      <p class="soft">{t('upstream.intro')}</p>
      <UpstreamStatus />
    </Page>
  );
}

function UpstreamStatus() {
  const status = useResource('GET /admin/upstream', {}, { intervalMs: refreshMs });
  const { runAction, error } = useAction();
  const upstream = status.result?.upstream;
  const setAside = useResource(
    'GET /admin/upstream/set-aside',
    upstream && upstream.set_aside > 0 ? { query: { limit: 20 } } : null,
    { intervalMs: refreshMs },
  );
  if (!upstream) return <ErrorMessage>{status.error}</ErrorMessage>;
  const reports = upstream.set_aside > 0 ? (setAside.result?.reports ?? []) : [];
  return (
    <section class="group" aria-labelledby="upstream">
      <h3 id="upstream">{t('upstream.reportsTo', { host: upstream.host })}</h3>
      <div class="card">
        <ErrorMessage>{error ?? status.error ?? setAside.error}</ErrorMessage>
        <p>
          {t(`upstream.states.${upstream.state}`)} {t('upstream.waiting', { count: upstream.waiting })}
        </p>
        {upstream.pairing_code !== null && (
          <p>{t('upstream.pairingCode', { code: upstream.pairing_code })}</p>
        )}
        {upstream.problem !== null && <p class="soft">{formatProblem(upstream.problem)}</p>}
        {upstream.state !== 'connected' && (
          <button
            type="button"
            class="chip"
            onClick={() => runAction(() => request('POST /admin/upstream/retry'), t('upstream.retried'))}
          >
            {t('upstream.retry')}
          </button>
        )}
        <ul class="rows">
          {reports.map((report) => (
            <li key={report.id}>
              <p class="row-text">
                <span class="row-name">{findText('upstream.reportTypes', report.type) ?? report.type}</span> ·{' '}
                {report.time} · {t('upstream.answered', { answer: report.refusal })}
              </p>
              <button
                type="button"
                class="chip"
                onClick={() =>
                  runAction(
                    () =>
                      request('POST /admin/upstream/set-aside/{id}/send-again', { path: { id: report.id } }),
                    t('upstream.sentAgain'),
                  )
                }
              >
                {t('upstream.sendAgain')}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
