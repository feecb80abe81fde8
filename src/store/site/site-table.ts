import type { Site } from '../../core/records.ts';
import { type SiteSettingName, settingFault, settingList } from '../../core/settings/site-settings.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';

/** Settings with their own columns; all others are in one JSON column. */
const columns: Readonly<Partial<Record<SiteSettingName, string>>> = {
  title: 'title',
  privacy: 'privacy',
  timeZone: 'time_zone',
  volumeUnits: 'volume_units',
  temperatureUnits: 'temperature_units',
  sessionTimeoutMinutes: 'session_timeout_minutes',
};

interface SiteRow {
  readonly [column: string]: unknown;
  readonly settings: string;
  readonly is_set_up: number;
}

/** No Pi restarts faster than this after a drink, milliseconds. */
const newestSyncedStepMs = 5_000;

/** The single row of site settings, and the newest time taken from a set clock. */
export function siteTable(db: Database, caches: Caches) {
  const read = db.prepare<[], SiteRow>('SELECT * FROM site');
  const write = db.prepare<SiteRow>(
    `UPDATE site SET ${Object.values(columns)
      .map((column) => `${column} = @${column}`)
      .join(', ')}, settings = @settings, is_set_up = @is_set_up`,
  );
  const newest = db.prepare<[], number | null>('SELECT newest_synced_ms FROM site').pluck();
  const raise = db.prepare<{ ms: number }>(
    'UPDATE site SET newest_synced_ms = @ms WHERE newest_synced_ms IS NULL OR newest_synced_ms < @ms',
  );
  const reset = db.prepare<[number]>('UPDATE site SET newest_synced_ms = ?');
  const demoUserId = db.prepare<[], number | null>('SELECT demo_user_id FROM site').pluck();
  const httpsUsed = db.prepare<[], number>('SELECT https_used FROM site').pluck();
  const setHttpsUsed = db.prepare<[]>('UPDATE site SET https_used = 1');
  const setDemoUserId = db.prepare<[number | null]>('UPDATE site SET demo_user_id = ?');
  return {
    read: caches.untilChange((): Site => toSite(read.get()!)),
    write: (site: Site): void => void write.run(toRow(site)),
    /** Id of the account that a demo lets everybody use; null without one. */
    demoUserId: (): number | null => demoUserId.get() ?? null,
    setDemoUserId: (id: number | null): void => void setDemoUserId.run(id),
    /** True once staff have logged in over HTTPS. */
    isHttpsUsed: caches.untilChange((): boolean => httpsUsed.get() === 1),
    setHttpsUsed: (): void => void setHttpsUsed.run(),
    newestSyncedMs: (): number | null => newest.get() ?? null,
    /** Moves the newest synchronised time forward, in full steps, so that it is written rarely. */
    raiseNewestSynced(ms: number): void {
      const current = newest.get() ?? null;
      if (current === null || current < ms)
        raise.run({ ms: Math.ceil(ms / newestSyncedStepMs) * newestSyncedStepMs });
    },
    /** Sets it to any value: a clock that has just been set is more reliable than any older time. */
    resetNewestSynced: (ms: number): void => void reset.run(ms),
  };
}

function toSite(row: SiteRow): Site {
  const jsonSettings = JSON.parse(row.settings) as Readonly<Record<string, unknown>>;
  const entries = settingList.map(([name, setting]) => {
    const column = columns[name];
    const stored = column === undefined ? jsonSettings[name] : row[column];
    // The default replaces a setting that is missing or comes from another program version.
    return [name, settingFault(setting, stored) === null ? stored : setting.default];
  });
  return { ...Object.fromEntries(entries), isSetUp: row.is_set_up === 1 } as Site;
}

function toRow(site: Site): SiteRow {
  const stored = settingList.map(([name]) => [name, columns[name], site[name]] as const);
  const own = stored.flatMap(([, column, value]) => (column === undefined ? [] : [[column, value]]));
  const jsonSettings = stored.flatMap(([name, column, value]) =>
    column === undefined ? [[name, value]] : [],
  );
  return {
    ...Object.fromEntries(own),
    settings: JSON.stringify(Object.fromEntries(jsonSettings)),
    is_set_up: Number(site.isSetUp),
  };
}
