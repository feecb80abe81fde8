import type { IdSource, Moment } from '../../../core/clock/moment.ts';
import { newId } from '../../../engine/shared/parts.ts';
import type { Kegboard, KegboardCommand } from '../core/kegboards.ts';
import type { WaitingCommand } from '../store/kegboard-commands-table.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';

/**
 * An answer to a presentment expires after this time without acknowledgement, since the guest has left the
 * tap, milliseconds.
 */
const answerTimeoutMs = 60_000;

/** Most commands in one response. */
const maxCommands = 10;

/**
 * Most bytes of commands in one response: the firmware reads 8192 bytes, and the rest of the body takes some.
 */
const maxBytes = 7_900;

/** The commands for a board, oldest first, without expired ones. */
export function pendingCommands(
  tables: KegboardTables,
  board: Kegboard,
  now: Moment,
): readonly KegboardCommand[] {
  const commands: KegboardCommand[] = [];
  let bytes = 0;
  for (const stored of tables.commands.waiting(board.id)) {
    if (isExpired(stored, now)) continue;
    const { id, type, data } = stored;
    bytes += Buffer.byteLength(JSON.stringify({ id, type, data })) + 1;
    if (commands.length === maxCommands || bytes > maxBytes) break;
    commands.push({ id, type, data });
  }
  return commands;
}

/** Deletes expired commands. */
export function dropExpired(tables: KegboardTables, board: Kegboard, now: Moment): void {
  for (const stored of tables.commands.waiting(board.id)) {
    if (isExpired(stored, now)) tables.commands.remove(board.id, stored.id);
  }
}

/**
 * Queues the command that ends grants, all when `grantIds` is null, and deletes queued commands that would
 * open a tap.
 */
export function queueGrantEnd(
  { tables, ids }: { readonly tables: KegboardTables; readonly ids: IdSource },
  board: Kegboard,
  grantIds: readonly string[] | null,
  now: Moment,
): void {
  for (const stored of tables.commands.waiting(board.id)) {
    const opensTap = stored.type === 'authorize';
    const isAddressed = grantIds === null || grantIds.includes(String(stored.data.grant_id));
    if (opensTap && isAddressed) tables.commands.remove(board.id, stored.id);
  }
  const data = grantIds === null ? {} : { grant_ids: grantIds };
  tables.commands.add(board.id, { id: newId('cmd', ids), type: 'deauthorize', data }, null, now);
}

/** A command to close stays until the board has received it; a permission to pour expires. */
function isExpired({ type, bootId, monoMs }: WaitingCommand, now: Moment): boolean {
  if (type === 'deauthorize') return false;
  return bootId !== now.bootId || now.monoMs - monoMs > answerTimeoutMs;
}
