import type { Board, BoardCommand } from '../../core/boards.ts';
import type { IdSource, Moment } from '../../core/moment.ts';
import type { Store } from '../../store/store.ts';
import type { WaitingCommand } from '../../store/tables/device-commands-table.ts';

/** An answer to a presentment that its board has not acknowledged by now finds nobody at the tap, milliseconds. */
const answerTimeoutMs = 60_000;

/** Commands in one answer. */
const maxCommands = 10;

/** The firmware reads 8192 bytes of an answer; the rest of the body takes a few. */
const maxBytes = 7_900;

/** An id of ours, at most 64 characters. */
export const newId = (prefix: string, ids: IdSource): string => `${prefix}_${ids.next()}`.slice(0, 64);

/** What the board is to do now, oldest first; what came too late is left out. */
export function pendingCommands(store: Store, board: Board, now: Moment): readonly BoardCommand[] {
  const commands: BoardCommand[] = [];
  let bytes = 0;
  for (const stored of store.deviceCommands.waiting(board.id)) {
    if (isExpired(stored, now)) continue;
    const { id, type, data } = stored;
    bytes += Buffer.byteLength(JSON.stringify({ id, type, data })) + 1;
    if (commands.length === maxCommands || bytes > maxBytes) break;
    commands.push({ id, type, data });
  }
  return commands;
}

/** Throws away what came too late. */
export function dropExpired(store: Store, board: Board, now: Moment): void {
  for (const stored of store.deviceCommands.waiting(board.id)) {
    if (isExpired(stored, now)) store.deviceCommands.remove(board.id, stored.id);
  }
}

/** Tells a board to end grants, all of them without `grantIds`, and takes back what would open a tap. */
export function closeTaps(
  { store, ids }: { readonly store: Store; readonly ids: IdSource },
  board: Board,
  grantIds: readonly string[] | null,
  now: Moment,
): void {
  for (const stored of store.deviceCommands.waiting(board.id)) {
    const opensTap = stored.type === 'authorize';
    const isAddressed = grantIds === null || grantIds.includes(String(stored.data.grant_id));
    if (opensTap && isAddressed) store.deviceCommands.remove(board.id, stored.id);
  }
  const data = grantIds === null ? {} : { grant_ids: grantIds };
  store.deviceCommands.add(board.id, { id: newId('cmd', ids), type: 'deauthorize', data }, null, now);
}

/** Orders to close wait until the board has heard them; leave to pour does not. */
function isExpired({ type, bootId, monoMs }: WaitingCommand, now: Moment): boolean {
  if (type === 'deauthorize') return false;
  return bootId !== now.bootId || now.monoMs - monoMs > answerTimeoutMs;
}
