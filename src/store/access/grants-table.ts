import type { Grant } from '../../core/access/grant.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** Stored grants: forty days of five hundred; no controller reports a pour later than that. */
const maxGrants = 20_000;

interface GrantRow {
  serial: number;
  id: string;
  device: string;
  username: string | null;
  auth_device: string;
  token_value: string;
  ended_reason: string | null;
  boot_id: string | null;
  granted_time_ms: number | null;
  ended_time_ms: number | null;
  volume_ml: number | null;
}

/** A grant with its serial number. */
export interface StoredGrant extends Grant {
  readonly serial: number;
}

/** Grants, stored for pours that are reported late. */
export function grantsTable(db: Database) {
  const select = 'SELECT g.*, u.username FROM grants g LEFT JOIN users u ON u.id = g.user_id';
  const byId = db.prepare<[string], GrantRow>(`${select} WHERE g.id = ?`);
  const liveByUser = db.prepare<[number], GrantRow>(
    `${select} WHERE g.user_id = ? AND g.ended_reason IS NULL AND g.boot_id IS NULL`,
  );
  // Few are open; without INDEXED BY SQLite would scan all the others.
  const open = db.prepare<[], GrantRow>(
    `SELECT g.*, u.username FROM grants g INDEXED BY grants_open LEFT JOIN users u ON u.id = g.user_id
     WHERE g.ended_reason IS NULL AND g.boot_id > ''`,
  );
  const byValue = db.prepare<[string, number], GrantRow>(
    `${select} WHERE g.token_value = ? COLLATE NOCASE ORDER BY g.serial DESC LIMIT ?`,
  );
  const page = preparePages<GrantRow>(db, { select, id: 'g.serial' });
  // Only the oldest are removed, so the serial numbers have no gaps.
  const count = db
    .prepare<[], number>(
      'SELECT coalesce((SELECT max(serial) FROM grants) - (SELECT min(serial) FROM grants) + 1, 0)',
    )
    .pluck();
  const insert = db.prepare<{
    id: string;
    device: string;
    userId: number;
    authDevice: string;
    tokenValue: string;
    bootId: string | null;
    grantedTimeMs: number | null;
  }>(
    `INSERT INTO grants (id, device, user_id, auth_device, token_value, boot_id, granted_time_ms)
     VALUES (@id, @device, @userId, @authDevice, @tokenValue, @bootId, @grantedTimeMs)`,
  );
  const removeOld = db.prepare<[number]>(
    'DELETE FROM grants WHERE serial <= (SELECT max(serial) FROM grants) - ?',
  );
  const end = db.prepare<{ id: string; device: string; reason: string }>(
    'UPDATE grants SET ended_reason = @reason WHERE id = @id AND device = @device AND boot_id IS NULL',
  );
  const endOwn = db.prepare<{ id: string; reason: string; timeMs: number | null }>(
    `UPDATE grants SET ended_reason = @reason, ended_time_ms = @timeMs
     WHERE id = @id AND ended_reason IS NULL AND boot_id IS NOT NULL`,
  );
  const setVolume = db.prepare<{ id: string; volumeMl: number }>(
    'UPDATE grants SET volume_ml = @volumeMl WHERE id = @id',
  );
  return {
    byId: (id: string): StoredGrant | null => toGrant(byId.get(id)),
    /** Grants at kegboards that were not reported as ended. */
    liveByUser: (userId: number): readonly Grant[] => liveByUser.all(userId).map((row) => toGrant(row)!),
    /**
     * The newest grants of a token of that value, in upper or lower case as readers sent it. Few enough are stored to be
     * scanned.
     */
    byValue: (value: string, limit: number): readonly StoredGrant[] =>
      byValue.all(value, limit).map((row) => toGrant(row)!),
    /** Grants at the local taps that have not ended. */
    open: (): readonly StoredGrant[] => open.all().map((row) => toGrant(row)!),
    /** The newest first, by serial number. */
    page: (slice: Slice): readonly StoredGrant[] => page(slice).map((row) => toGrant(row)!),
    count: (): number => count.get()!,
    /** With `bootId` it is a grant at the local taps. */
    add(grant: {
      id: string;
      device: string;
      userId: number;
      authDevice: string;
      tokenValue: string;
      bootId?: string;
      grantedTimeMs?: number | null;
    }): void {
      insert.run({ bootId: null, grantedTimeMs: null, ...grant });
      removeOld.run(maxGrants);
    },
    /** Ends a grant that a kegboard reports as ended. */
    end: (device: string, id: string, reason: string): void => void end.run({ id, device, reason }),
    /** Ends a grant at the local taps; false if it had ended already. */
    endOwn: (id: string, reason: string, timeMs: number | null): boolean =>
      endOwn.run({ id, reason, timeMs }).changes > 0,
    setVolume: (id: string, volumeMl: number): void => void setVolume.run({ id, volumeMl }),
  };
}

function toGrant(row: GrantRow | undefined): StoredGrant | null {
  if (row === undefined) return null;
  return {
    serial: row.serial,
    id: row.id,
    device: row.device,
    username: row.username,
    authDevice: row.auth_device,
    tokenValue: row.token_value,
    endedReason: row.ended_reason,
    bootId: row.boot_id,
    grantedTimeMs: row.granted_time_ms,
    endedTimeMs: row.ended_time_ms,
    volumeMl: row.volume_ml,
  };
}
