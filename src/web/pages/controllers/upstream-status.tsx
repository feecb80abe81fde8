import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';

const refreshMs = 5_000;

interface UpstreamState {
  readonly state: 'off' | 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';
  readonly problem: string | null;
  readonly host: string | null;
  readonly device: string | null;
  readonly waiting: number;
  readonly set_aside: number;
}

interface Report {
  readonly id: number;
  readonly type: string;
  readonly time: string;
  readonly refusal: string;
}

/** State of upstream reporting and the reports the upstream rejected; nothing when upstream is off. */
export function UpstreamStatus() {
  const status = useResource<{ readonly upstream: UpstreamState }>('/admin/upstream', refreshMs);
  const { runAction, error } = useAction();
  const upstream = status.result?.upstream;
  const setAside = useResource<{ readonly reports: readonly Report[] }>(
    upstream && upstream.set_aside > 0 ? '/admin/upstream/set-aside?limit=20' : null,
    refreshMs,
  );
  if (!upstream || upstream.state === 'off') return null;
  const reports = upstream.set_aside > 0 ? (setAside.result?.reports ?? []) : [];
  return (
    <section class="group" aria-labelledby="upstream">
      <h3 id="upstream">{words.reportsTo(upstream.host ?? '')}</h3>
      <div class="card">
        <ErrorMessage>{error ?? status.error ?? setAside.error}</ErrorMessage>
        <p>
          {words.upstreamStates[upstream.state]} {words.reportsWaiting(upstream.waiting)}
        </p>
        {upstream.problem !== null && <p class="soft">{upstream.problem}</p>}
        {upstream.state !== 'connected' && (
          <button
            type="button"
            class="chip"
            onClick={() =>
              runAction({
                method: 'POST',
                path: '/admin/upstream/retry',
                successMessage: words.upstreamRetried,
              })
            }
          >
            {words.retryUpstream}
          </button>
        )}
        <ul class="rows">
          {reports.map((report) => (
            <li key={report.id}>
              <p class="row-words">
                <span class="row-name">{words.reportTypes[report.type] ?? report.type}</span> · {report.time}{' '}
                · {report.refusal}
              </p>
              <button
                type="button"
                class="chip"
                onClick={() =>
                  runAction({
                    method: 'POST',
                    path: `/admin/upstream/set-aside/${report.id}/send-again`,
                    successMessage: words.sentAgain,
                  })
                }
              >
                {words.sendAgain}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
