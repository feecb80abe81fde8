import type { HouseMessage } from '../../../http/live/shapes.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { barTime, timeInWords } from '../../format.ts';
import { words } from '../../words/house.ts';

/** A board that waits should be seen while its bringer still looks at the page. */
const lookMs = 3_000;

interface Board {
  readonly device: string;
  readonly state: 'pending' | 'allowed' | 'paired' | 'denied';
  readonly online: boolean;
  readonly last_seen: string | null;
  readonly fw_version: string | null;
  readonly wifi_rssi_dbm: number | null;
  readonly events_dropped: number | null;
  readonly last_error: string | null;
  readonly warnings: readonly string[];
  readonly pours_set_aside: number;
}

/** Boards that ask to be let in, and how those that report are. */
export function Boards({ app }: { readonly app: HouseMessage }) {
  const { result, error } = useResource<{ readonly kegboards: readonly Board[] }>('/admin/kegboards', lookMs);
  const boards = result?.kegboards ?? [];
  const waiting = boards.filter(({ state }) => state === 'pending');
  const others = boards.filter(({ state }) => state !== 'pending');
  return (
    <>
      <section class="group" aria-labelledby="boards-waiting">
        <h3 id="boards-waiting">{words.waiting}</h3>
        <div class="card" aria-live="polite">
          <ErrorMessage>{error}</ErrorMessage>
          {waiting.length === 0 && <p class="soft">{words.noneWaiting}</p>}
          <BoardList boards={waiting} app={app} label={words.waiting} />
        </div>
      </section>
      {others.length > 0 && (
        <section class="group" aria-labelledby="boards-known">
          <h3 id="boards-known">{words.boards}</h3>
          <div class="card">
            <BoardList boards={others} app={app} label={words.boards} />
          </div>
        </section>
      )}
    </>
  );
}

interface BoardListProps {
  readonly boards: readonly Board[];
  readonly app: HouseMessage;
  readonly label: string;
}

function BoardList({ boards, app, label }: BoardListProps) {
  if (boards.length === 0) return null;
  return (
    <ul class="rows" aria-label={label}>
      {boards.map((board) => (
        <BoardRow key={board.device} board={board} app={app} />
      ))}
    </ul>
  );
}

function BoardRow({ board, app }: { readonly board: Board; readonly app: HouseMessage }) {
  const { runAction, error } = useAction();
  const { device, state, online } = board;
  const at = `/admin/kegboards/${encodeURIComponent(device)}`;
  const button = (word: string, method: 'POST' | 'DELETE', path: string) => (
    <button
      type="button"
      class="chip"
      aria-label={`${word}: ${device}`}
      onClick={() => runAction({ method, path, successMessage: `${device}: ${word}.` })}
    >
      {word}
    </button>
  );
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{device}</p>
        <p>
          {words.boardStates[state]} · {online ? words.online : words.offline}
        </p>
        <p class="soft">{healthOf(board, app)}</p>
        {[board.last_error, ...board.warnings].filter(Boolean).map((warning) => (
          <p key={warning} class="refusal">
            {warning}
          </p>
        ))}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-acts">
        {state !== 'paired' && state !== 'allowed' && button(words.allow, 'POST', `${at}/allow`)}
        {state === 'pending' && button(words.deny, 'POST', `${at}/deny`)}
        {(state === 'paired' || state === 'allowed') && button(words.revoke, 'POST', `${at}/revoke`)}
        {state === 'denied' && button(words.forget, 'DELETE', at)}
      </div>
    </li>
  );
}

function healthOf(board: Board, app: HouseMessage): string {
  return [
    board.last_seen && words.lastSeen(timeInWords(barTime(board.last_seen, app))),
    board.fw_version && words.firmware(board.fw_version),
    board.wifi_rssi_dbm === null ? null : `${board.wifi_rssi_dbm} dBm`,
    board.events_dropped ? words.dropped(board.events_dropped) : null,
    board.pours_set_aside > 0 ? words.setAside(board.pours_set_aside) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
