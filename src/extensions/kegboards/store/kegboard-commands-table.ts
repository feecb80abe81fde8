import type { Moment } from '../../../core/clock/moment.ts';
import type { Database } from '../../../store/database.ts';
import type { KegboardCommand } from '../core/kegboards.ts';

/** Maximum number of waiting commands of one kegboard; the oldest are removed. */
const maxWaiting = 64;

/** A command that its kegboard has not acknowledged, and when it was created. */
export interface WaitingCommand extends KegboardCommand {
  readonly bootId: string;
  readonly monoMs: number;
}

interface CommandRow {
  id: string;
  type: KegboardCommand['type'];
  data: string;
  boot_id: string;
  mono_ms: number;
}

/** Commands for kegboards, until they are acknowledged. */
export function kegboardCommandsTable(db: Database) {
  const waiting = db.prepare<[number], CommandRow>(
    'SELECT id, type, data, boot_id, mono_ms FROM kegboard_commands WHERE kegboard_id = ? ORDER BY serial',
  );
  const insert = db.prepare<{
    id: string;
    kegboardId: number;
    type: string;
    data: string;
    presented: string | null;
    bootId: string;
    monoMs: number;
  }>(
    `INSERT INTO kegboard_commands (id, kegboard_id, type, data, presented, boot_id, mono_ms)
     VALUES (@id, @kegboardId, @type, @data, @presented, @bootId, @monoMs)`,
  );
  const trim = db.prepare<{ kegboardId: number; most: number }>(
    `DELETE FROM kegboard_commands WHERE kegboard_id = @kegboardId AND serial <=
       (SELECT serial FROM kegboard_commands WHERE kegboard_id = @kegboardId ORDER BY serial DESC LIMIT 1 OFFSET @most)`,
  );
  const remove = db.prepare<[number, string]>(
    'DELETE FROM kegboard_commands WHERE kegboard_id = ? AND id = ?',
  );
  const removeAll = db.prepare<[number]>('DELETE FROM kegboard_commands WHERE kegboard_id = ?');
  const removeAnswers = db.prepare<{ kegboardId: number; presented: string }>(
    'DELETE FROM kegboard_commands WHERE kegboard_id = @kegboardId AND presented = @presented',
  );
  const removeAuthorizations = db.prepare<[number]>(
    `DELETE FROM kegboard_commands WHERE kegboard_id = ? AND type = 'authorize'`,
  );
  return {
    /** Oldest first. */
    waiting: (kegboardId: number): readonly WaitingCommand[] =>
      waiting.all(kegboardId).map((row) => ({
        id: row.id,
        type: row.type,
        data: JSON.parse(row.data) as KegboardCommand['data'],
        bootId: row.boot_id,
        monoMs: row.mono_ms,
      })),
    /** `presented` is the presentment that the command answers. */
    add(kegboardId: number, command: KegboardCommand, presented: string | null, now: Moment): void {
      const { id, type, data } = command;
      const { bootId, monoMs } = now;
      insert.run({ id, kegboardId, type, data: JSON.stringify(data), presented, bootId, monoMs });
      trim.run({ kegboardId, most: maxWaiting });
    },
    remove: (kegboardId: number, id: string): void => void remove.run(kegboardId, id),
    removeAll: (kegboardId: number): void => void removeAll.run(kegboardId),
    /** Removes answers to a presentment that has ended. */
    removeAnswers: (kegboardId: number, presented: string): void =>
      void removeAnswers.run({ kegboardId, presented }),
    /** Removes all commands that would open a tap. */
    removeAuthorizations: (kegboardId: number): void => void removeAuthorizations.run(kegboardId),
  };
}
