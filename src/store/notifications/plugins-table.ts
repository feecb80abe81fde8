import type { SystemEventKind } from '../../core/system-events.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** One value stored by a plugin or a program of the bar. */
export interface PluginDatum {
  readonly id: number;
  readonly pluginName: string;
  readonly key: string;
  /** JSON. */
  readonly value: string;
}

/** A receiver of events while it is enabled. */
export interface WebhookTarget {
  readonly id: number;
  readonly url: string;
  readonly isEnabled: boolean;
  /** The kinds of events that it receives; null: all. */
  readonly eventKinds: readonly SystemEventKind[] | null;
}

interface TargetRow {
  id: number;
  url: string;
  is_enabled: number;
  event_kinds: string | null;
}

interface DatumRow {
  id: number;
  plugin_name: string;
  key: string;
  value: string;
}

/** Webhook targets and secrets, and the data of plugins. */
export function pluginsTable(db: Database) {
  const targets = db.prepare<[], string>('SELECT url FROM webhook_targets ORDER BY id').pluck();
  const allTargets = db.prepare<[], TargetRow>('SELECT * FROM webhook_targets ORDER BY id');
  const target = db.prepare<[number], TargetRow>('SELECT * FROM webhook_targets WHERE id = ?');
  const addTarget = db
    .prepare<[string], number>('INSERT INTO webhook_targets (url) VALUES (?) RETURNING id')
    .pluck();
  const changeTarget = db.prepare<TargetRow>(
    `UPDATE webhook_targets SET url = @url, is_enabled = @is_enabled, event_kinds = @event_kinds WHERE id = @id`,
  );
  const removeTarget = db.prepare<[string]>('DELETE FROM webhook_targets WHERE url = ?');
  const secret = db
    .prepare<[string], string>('SELECT secret FROM plugin_secrets WHERE plugin_name = ?')
    .pluck();
  const setSecret = db.prepare<[string, string]>(
    `INSERT INTO plugin_secrets VALUES (?, ?) ON CONFLICT (plugin_name) DO UPDATE SET secret = excluded.secret`,
  );
  const clearSecret = db.prepare<[string]>('DELETE FROM plugin_secrets WHERE plugin_name = ?');
  const datum = db.prepare<[number], DatumRow>('SELECT * FROM plugin_data WHERE id = ?');
  const datumByKey = db.prepare<[string, string], DatumRow>(
    'SELECT * FROM plugin_data WHERE plugin_name = ? AND key = ?',
  );
  const page = preparePages<DatumRow>(db, { select: 'SELECT * FROM plugin_data' });
  const count = db.prepare<[], number>('SELECT count(*) FROM plugin_data').pluck();
  const insert = db
    .prepare<{ pluginName: string; key: string; value: string }, number>(
      'INSERT INTO plugin_data (plugin_name, key, value) VALUES (@pluginName, @key, @value) RETURNING id',
    )
    .pluck();
  const update = db.prepare<PluginDatum>(
    'UPDATE plugin_data SET plugin_name = @pluginName, key = @key, value = @value WHERE id = @id',
  );
  const remove = db.prepare<[number]>('DELETE FROM plugin_data WHERE id = ?');
  return {
    webhookTargets: (): readonly string[] => targets.all(),
    webhooks: (): readonly WebhookTarget[] => allTargets.all().map((row) => toTarget(row)!),
    webhook: (id: number): WebhookTarget | null => toTarget(target.get(id)),
    /** Returns its id. */
    addWebhookTarget: (url: string): number => addTarget.get(url)!,
    changeWebhook: ({ id, url, isEnabled, eventKinds }: WebhookTarget): void =>
      void changeTarget.run({
        id,
        url,
        is_enabled: isEnabled ? 1 : 0,
        event_kinds: eventKinds && JSON.stringify(eventKinds),
      }),
    removeWebhookTarget: (url: string): void => void removeTarget.run(url),
    secret: (pluginName: string): string | null => secret.get(pluginName) ?? null,
    setSecret(pluginName: string, value: string | null): void {
      if (value === null) clearSecret.run(pluginName);
      else setSecret.run(pluginName, value);
    },
    datum: (id: number): PluginDatum | null => toDatum(datum.get(id)),
    datumByKey: (pluginName: string, key: string): PluginDatum | null =>
      toDatum(datumByKey.get(pluginName, key)),
    /** Newest first. */
    dataPage: (slice: Slice): readonly PluginDatum[] => page(slice).map((row) => toDatum(row)!),
    dataCount: (): number => count.get()!,
    /** Returns its id. */
    addDatum: (created: Omit<PluginDatum, 'id'>): number => insert.get(created)!,
    changeDatum: (changed: PluginDatum): void => void update.run(changed),
    removeDatum: (id: number): void => void remove.run(id),
  };
}

function toTarget(row: TargetRow | undefined): WebhookTarget | null {
  if (row === undefined) return null;
  const { id, url, is_enabled: isEnabled, event_kinds: kinds } = row;
  const eventKinds = kinds === null ? null : (JSON.parse(kinds) as readonly SystemEventKind[]);
  return { id, url, isEnabled: isEnabled === 1, eventKinds };
}

function toDatum(row: DatumRow | undefined): PluginDatum | null {
  return row === undefined
    ? null
    : { id: row.id, pluginName: row.plugin_name, key: row.key, value: row.value };
}
