import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { type Answer, request } from '../../../web/api/client.ts';
import type { Kegboard } from '../../../web/api/generated.ts';
import type { DisplayText } from '../../../web/app/error-text.ts';
import { barTime, formatBarTime } from '../../../web/app/format.ts';
import { formatProblem } from '../../../web/app/problem-text.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { t } from '../../../web/locales/locale.ts';

interface KegboardsProps {
  readonly kegboards: readonly Kegboard[];
  readonly error: DisplayText | null;
  readonly snapshot: SnapshotMessage;
}

/** Kegboards that wait for pairing, and known ones that are not among the controllers. */
export function Kegboards({ kegboards, error, snapshot }: KegboardsProps) {
  const pending = kegboards.filter(({ state }) => state === 'pending');
  const known = kegboards.filter(({ state }) => state !== 'pending');
  return (
    <>
      <section class="group" aria-labelledby="boards-waiting">
        <h3 id="boards-waiting">{t('kegboards.waiting')}</h3>
        <div class="card" aria-live="polite">
          <ErrorMessage>{error}</ErrorMessage>
          {pending.length === 0 && <p class="soft">{t('kegboards.noneWaiting')}</p>}
          <KegboardList kegboards={pending} snapshot={snapshot} label={t('kegboards.waiting')} />
        </div>
      </section>
      {known.length > 0 && (
        <section class="group" aria-labelledby="boards-known">
          <h3 id="boards-known">{t('kegboards.onNetwork')}</h3>
          <div class="card">
            <KegboardList kegboards={known} snapshot={snapshot} label={t('kegboards.onNetwork')} />
          </div>
        </section>
      )}
    </>
  );
}

interface KegboardListProps {
  readonly kegboards: readonly Kegboard[];
  readonly snapshot: SnapshotMessage;
  readonly label: string;
}

function KegboardList({ kegboards, snapshot, label }: KegboardListProps) {
  if (kegboards.length === 0) return null;
  return (
    <ul class="rows" aria-label={label}>
      {kegboards.map((kegboard) => (
        <KegboardRow key={kegboard.request_id ?? kegboard.device} kegboard={kegboard} snapshot={snapshot} />
      ))}
    </ul>
  );
}

interface KegboardProps {
  readonly kegboard: Kegboard;
  readonly snapshot: SnapshotMessage;
}

/** State and health of a kegboard, and what staff should look at. */
export function KegboardStatus({ kegboard, snapshot }: KegboardProps) {
  const { state, online, code, ip, other_ips } = kegboard;
  return (
    <>
      <p>
        {t(`kegboards.boardStates.${state}`)} · {online ? t('kegboards.online') : t('kegboards.offline')}
      </p>
      {state !== 'denied' && code !== null && <p>{t('kegboards.code', { code, address: ip ?? '' })}</p>}
      <p class="soft">{formatHealth(kegboard, snapshot)}</p>
      {other_ips.length > 0 && (
        <p class="refusal">
          {t(state === 'paired' ? 'kegboards.askedWithoutToken' : 'kegboards.severalAsk', {
            addresses: other_ips.join(', '),
          })}
        </p>
      )}
      {[...kegboard.problems, ...kegboard.warnings].map((problem) => (
        <p key={problem.message} class="refusal">
          {formatProblem(problem)}
        </p>
      ))}
    </>
  );
}

function KegboardRow({ kegboard, snapshot }: KegboardProps) {
  const { runAction, error } = useAction();
  const { device, state, request_id, code, ip } = kegboard;
  const path = { device };
  // Exactly what is shown is allowed or denied: another request of the same name is refused by the server.
  const choice = request_id !== null && ip !== null ? { path, body: { request_id, ip } } : { path };
  const actionButton = (label: string, action: () => Promise<Answer<unknown>>) => (
    <button
      type="button"
      class="chip"
      aria-label={state === 'pending' ? `${label}: ${device}, ${code}` : `${label}: ${device}`}
      onClick={() => runAction(action, `${device}: ${label}.`)}
    >
      {label}
    </button>
  );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{device}</p>
        <KegboardStatus kegboard={kegboard} snapshot={snapshot} />
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {state === 'pending' && (
          <>
            {actionButton(t('kegboards.allowBoard'), () =>
              request('POST /admin/kegboards/{device}/allow', choice),
            )}
            {actionButton(t('kegboards.denyBoard'), () =>
              request('POST /admin/kegboards/{device}/deny', choice),
            )}
          </>
        )}
        {(state === 'paired' || state === 'allowed') &&
          actionButton(t('kegboards.revokeAccess'), () =>
            request('POST /admin/kegboards/{device}/revoke', { path }),
          )}
        {state === 'denied' &&
          actionButton(t('kegboards.deleteBoard'), () =>
            request('DELETE /admin/kegboards/{device}', { path }),
          )}
      </div>
    </li>
  );
}

function formatHealth(kegboard: Kegboard, snapshot: SnapshotMessage): string {
  return [
    kegboard.last_seen &&
      t('controllers.lastSeen', { time: formatBarTime(barTime(kegboard.last_seen, snapshot)) }),
    kegboard.fw_version && t('kegboards.firmware', { version: kegboard.fw_version }),
    kegboard.wifi_rssi_dbm === null ? null : `${kegboard.wifi_rssi_dbm} dBm`,
    kegboard.events_dropped ? t('kegboards.dropped', { events: kegboard.events_dropped }) : null,
    kegboard.refused_pours > 0 ? t('kegboards.unreadable', { pours: kegboard.refused_pours }) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
