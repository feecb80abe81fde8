import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { Kegboard } from '../../api/generated.ts';
import { barTime, formatBarTime } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

/** Short, so that a new board appears while the installer watches the page. */
const refreshMs = 3_000;

/** Kegboards that wait for pairing, and the health of the known ones. */
export function Kegboards({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result, error } = useResource('GET /admin/kegboards', {}, { intervalMs: refreshMs });
  const kegboards = result?.kegboards ?? [];
  const pending = kegboards.filter(({ state }) => state === 'pending');
  const known = kegboards.filter(({ state }) => state !== 'pending');
  return (
    <>
      <section class="group" aria-labelledby="boards-waiting">
        <h3 id="boards-waiting">{t('controllers.waiting')}</h3>
        <div class="card" aria-live="polite">
          <ErrorMessage>{error}</ErrorMessage>
          {pending.length === 0 && <p class="soft">{t('controllers.noneWaiting')}</p>}
          <KegboardList kegboards={pending} snapshot={snapshot} label={t('controllers.waiting')} />
        </div>
      </section>
      {known.length > 0 && (
        <section class="group" aria-labelledby="boards-known">
          <h3 id="boards-known">{t('controllers.boards')}</h3>
          <div class="card">
            <KegboardList kegboards={known} snapshot={snapshot} label={t('controllers.boards')} />
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
        <KegboardRow key={kegboard.device} kegboard={kegboard} snapshot={snapshot} />
      ))}
    </ul>
  );
}

function KegboardRow({
  kegboard,
  snapshot,
}: {
  readonly kegboard: Kegboard;
  readonly snapshot: SnapshotMessage;
}) {
  const { runAction, error } = useAction();
  const { device, state, online } = kegboard;
  const input = { path: { device } };
  const actionButton = (
    label: string,
    operation:
      | 'POST /admin/kegboards/{device}/allow'
      | 'POST /admin/kegboards/{device}/deny'
      | 'POST /admin/kegboards/{device}/revoke'
      | 'DELETE /admin/kegboards/{device}',
  ) => (
    <button
      type="button"
      class="chip"
      aria-label={`${label}: ${device}`}
      onClick={() => runAction(() => request(operation, input), `${device}: ${label}.`)}
    >
      {label}
    </button>
  );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{device}</p>
        <p>
          {t(`controllers.boardStates.${state}`)} ·{' '}
          {online ? t('controllers.online') : t('controllers.offline')}
        </p>
        <p class="soft">{formatHealth(kegboard, snapshot)}</p>
        {[kegboard.last_error, ...kegboard.warnings].filter(Boolean).map((warning) => (
          <p key={warning} class="refusal">
            {warning}
          </p>
        ))}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {state !== 'paired' &&
          state !== 'allowed' &&
          actionButton(t('controllers.allowBoard'), 'POST /admin/kegboards/{device}/allow')}
        {state === 'pending' &&
          actionButton(t('controllers.denyBoard'), 'POST /admin/kegboards/{device}/deny')}
        {(state === 'paired' || state === 'allowed') &&
          actionButton(t('controllers.revokeAccess'), 'POST /admin/kegboards/{device}/revoke')}
        {state === 'denied' && actionButton(t('controllers.deleteBoard'), 'DELETE /admin/kegboards/{device}')}
      </div>
    </li>
  );
}

function formatHealth(kegboard: Kegboard, snapshot: SnapshotMessage): string {
  return [
    kegboard.last_seen &&
      t('controllers.lastSeen', { time: formatBarTime(barTime(kegboard.last_seen, snapshot)) }),
    kegboard.fw_version && t('controllers.firmware', { version: kegboard.fw_version }),
    kegboard.wifi_rssi_dbm === null ? null : `${kegboard.wifi_rssi_dbm} dBm`,
    kegboard.events_dropped ? t('controllers.dropped', { events: kegboard.events_dropped }) : null,
    kegboard.refused_pours > 0 ? t('controllers.unreadable', { pours: kegboard.refused_pours }) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
