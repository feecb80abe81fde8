import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { barTime, formatBarTime } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';

/** Short, so that a new board appears while the installer watches the page. */
const refreshMs = 3_000;

interface Kegboard {
  readonly device: string;
  readonly state: 'pending' | 'allowed' | 'paired' | 'denied';
  readonly online: boolean;
  readonly last_seen: string | null;
  readonly fw_version: string | null;
  readonly wifi_rssi_dbm: number | null;
  readonly events_dropped: number | null;
  readonly last_error: string | null;
  readonly warnings: readonly string[];
  readonly refused_pours: number;
}

/** Kegboards that wait for pairing, and the health of the known ones. */
export function Kegboards({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result, error } = useResource<{ readonly kegboards: readonly Kegboard[] }>(
    '/admin/kegboards',
    refreshMs,
  );
  const kegboards = result?.kegboards ?? [];
  const pending = kegboards.filter(({ state }) => state === 'pending');
  const known = kegboards.filter(({ state }) => state !== 'pending');
  return (
    <>
      <section class="group" aria-labelledby="boards-waiting">
        <h3 id="boards-waiting">{words.waiting}</h3>
        <div class="card" aria-live="polite">
          <ErrorMessage>{error}</ErrorMessage>
          {pending.length === 0 && <p class="soft">{words.noneWaiting}</p>}
          <KegboardList kegboards={pending} snapshot={snapshot} label={words.waiting} />
        </div>
      </section>
      {known.length > 0 && (
        <section class="group" aria-labelledby="boards-known">
          <h3 id="boards-known">{words.boards}</h3>
          <div class="card">
            <KegboardList kegboards={known} snapshot={snapshot} label={words.boards} />
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
  const basePath = `/admin/kegboards/${encodeURIComponent(device)}`;
  const actionButton = (label: string, method: 'POST' | 'DELETE', path: string) => (
    <button
      type="button"
      class="chip"
      aria-label={`${label}: ${device}`}
      onClick={() => runAction({ method, path, successMessage: `${device}: ${label}.` })}
    >
      {label}
    </button>
  );
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{device}</p>
        <p>
          {words.boardStates[state]} · {online ? words.online : words.offline}
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
          actionButton(words.allowBoard, 'POST', `${basePath}/allow`)}
        {state === 'pending' && actionButton(words.denyBoard, 'POST', `${basePath}/deny`)}
        {(state === 'paired' || state === 'allowed') &&
          actionButton(words.revokeAccess, 'POST', `${basePath}/revoke`)}
        {state === 'denied' && actionButton(words.deleteBoard, 'DELETE', basePath)}
      </div>
    </li>
  );
}

function formatHealth(kegboard: Kegboard, snapshot: SnapshotMessage): string {
  return [
    kegboard.last_seen && words.lastSeen(formatBarTime(barTime(kegboard.last_seen, snapshot))),
    kegboard.fw_version && words.firmware(kegboard.fw_version),
    kegboard.wifi_rssi_dbm === null ? null : `${kegboard.wifi_rssi_dbm} dBm`,
    kegboard.events_dropped ? words.dropped(kegboard.events_dropped) : null,
    kegboard.refused_pours > 0 ? words.unreadable(kegboard.refused_pours) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
