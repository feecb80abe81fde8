import type { Site } from '../core/ledger.ts';
import type { Database } from './database.ts';

interface SiteRow {
  title: string;
  privacy: Site['privacy'];
  time_zone: string;
  volume_units: Site['volumeUnits'];
  temperature_units: Site['temperatureUnits'];
  session_timeout_minutes: number;
  is_set_up: number;
}

/** The one row of settings a person makes on a page, and the newest stamp of a set clock. */
export function siteTable(db: Database) {
  const read = db.prepare<[], SiteRow>('SELECT * FROM site');
  const write = db.prepare<SiteRow>(
    `UPDATE site SET title = @title, privacy = @privacy, time_zone = @time_zone, volume_units = @volume_units,
       temperature_units = @temperature_units, session_timeout_minutes = @session_timeout_minutes,
       is_set_up = @is_set_up`,
  );
  const newest = db.prepare<[], number | null>('SELECT newest_synced_ms FROM site').pluck();
  const raise = db.prepare<{ ms: number }>(
    'UPDATE site SET newest_synced_ms = @ms WHERE newest_synced_ms IS NULL OR newest_synced_ms < @ms',
  );
  const reset = db.prepare<[number]>('UPDATE site SET newest_synced_ms = ?');
  return {
    read: (): Site => toSite(read.get()!),
    write(site: Site): void {
      write.run({
        title: site.title,
        privacy: site.privacy,
        time_zone: site.timeZone,
        volume_units: site.volumeUnits,
        temperature_units: site.temperatureUnits,
        session_timeout_minutes: site.sessionTimeoutMinutes,
        is_set_up: Number(site.isSetUp),
      });
    },
    newestSyncedMs: (): number | null => newest.get() ?? null,
    /** Moves the newest synchronised stamp forward, never back. */
    raiseNewestSynced: (ms: number): void => void raise.run({ ms }),
    /** Sets it outright: a clock that has just been set knows better than any older stamp. */
    resetNewestSynced: (ms: number): void => void reset.run(ms),
  };
}

function toSite(row: SiteRow): Site {
  return {
    title: row.title,
    privacy: row.privacy,
    timeZone: row.time_zone,
    volumeUnits: row.volume_units,
    temperatureUnits: row.temperature_units,
    sessionTimeoutMinutes: row.session_timeout_minutes,
    isSetUp: row.is_set_up === 1,
  };
}
