import type { Moment } from '../../core/clock/moment.ts';
import type { KegboardCommand } from '../../core/controllers/kegboards.ts';
import type { Database } from '../database.ts';

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
    'SELECT id, type, data, boot_id, mono_ms FROM device_commands WHERE device_id = ? ORDER BY serial',
  );
  const insert = db.prepare<{
    id: string;
    deviceId: number;
    type: string;
    data: string;
    presented: string | null;
    bootId: string;
    monoMs: number;
  }>(
    `INSERT INTO device_commands (id, device_id, type, data, presented, boot_id, mono_ms)
     VALUES (@id, @deviceId, @type, @data, @presented, @bootId, @monoMs)`,
  );
  const trim = db.prepare<{ deviceId: number; most: number }>(
    `DELETE FROM device_commands WHERE device_id = @deviceId AND serial <=
       (SELECT serial FROM device_commands WHERE device_id = @deviceId ORDER BY serial DESC LIMIT 1 OFFSET @most)`,
  );
  const remove = db.prepare<[number, string]>('DELETE FROM device_commands WHERE device_id = ? AND id = ?');
  const removeAll = db.prepare<[number]>('DELETE FROM device_commands WHERE device_id = ?');
  const removeAnswers = db.prepare<{ deviceId: number; presented: string }>(
    'DELETE FROM device_commands WHERE device_id = @deviceId AND presented = @presented',
  );
  const removeAuthorizations = db.prepare<[number]>(
    `DELETE FROM device_commands WHERE device_id = ? AND type = 'authorize'`,
  );
  return {
    /** Oldest first. */
    waiting: (deviceId: number): readonly WaitingCommand[] =>
      waiting.all(deviceId).map((row) => ({
        id: row.id,
        type: row.type,
        data: JSON.parse(row.data) as KegboardCommand['data'],
        bootId: row.boot_id,
        monoMs: row.mono_ms,
      })),
    /** `presented` is the presentment that the command answers. */
    add(deviceId: number, command: KegboardCommand, presented: string | null, now: Moment): void {
      const { id, type, data } = command;
      const { bootId, monoMs } = now;
      insert.run({ id, deviceId, type, data: JSON.stringify(data), presented, bootId, monoMs });
      trim.run({ deviceId, most: maxWaiting });
    },
    remove: (deviceId: number, id: string): void => void remove.run(deviceId, id),
    removeAll: (deviceId: number): void => void removeAll.run(deviceId),
    /** Removes answers to a presentment that has ended. */
    removeAnswers: (deviceId: number, presented: string): void =>
      void removeAnswers.run({ deviceId, presented }),
    /** Removes all commands that would open a tap. */
    removeAuthorizations: (deviceId: number): void => void removeAuthorizations.run(deviceId),
  };
}
