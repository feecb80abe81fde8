import type { Grant } from '../core/boards.ts';
import type { Database } from './database.ts';

/** Grants remembered: at five hundred an evening, forty evenings; no board keeps a pour back for so long. */
const mostGrants = 20_000;

interface GrantRow {
  id: string;
  device: string;
  username: string | null;
  auth_device: string;
  token_value: string;
  ended_reason: string | null;
}

/** Leave to pour that was given, kept for the pours that are reported late. */
export function grantsTable(db: Database) {
  const select = 'SELECT g.*, u.username FROM grants g LEFT JOIN users u ON u.id = g.user_id';
  const byId = db.prepare<[string], GrantRow>(`${select} WHERE g.id = ?`);
  const liveOfUser = db.prepare<[number], GrantRow>(
    `${select} WHERE g.user_id = ? AND g.ended_reason IS NULL`,
  );
  const insert = db.prepare<{
    id: string;
    device: string;
    userId: number;
    authDevice: string;
    tokenValue: string;
  }>(
    `INSERT INTO grants (id, device, user_id, auth_device, token_value)
     VALUES (@id, @device, @userId, @authDevice, @tokenValue)`,
  );
  const forgetOld = db.prepare<[number]>(
    'DELETE FROM grants WHERE serial <= (SELECT max(serial) FROM grants) - ?',
  );
  const end = db.prepare<{ id: string; device: string; reason: string }>(
    'UPDATE grants SET ended_reason = @reason WHERE id = @id AND device = @device',
  );
  return {
    byId: (id: string): Grant | null => toGrant(byId.get(id)),
    /** Those that no board has reported ended. */
    liveOfUser: (userId: number): readonly Grant[] => liveOfUser.all(userId).map((row) => toGrant(row)!),
    add(grant: { id: string; device: string; userId: number; authDevice: string; tokenValue: string }): void {
      insert.run(grant);
      forgetOld.run(mostGrants);
    },
    end: (device: string, id: string, reason: string): void => void end.run({ id, device, reason }),
  };
}

function toGrant(row: GrantRow | undefined): Grant | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    device: row.device,
    username: row.username,
    authDevice: row.auth_device,
    tokenValue: row.token_value,
    endedReason: row.ended_reason,
  };
}
