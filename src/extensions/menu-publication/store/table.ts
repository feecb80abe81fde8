import { parseStoredSettings } from '../../../core/settings/setting-declarations.ts';
import type { Database } from '../../../store/database.ts';
import {
  type MenuPublicationSettings,
  menuPublicationFault,
  menuPublicationSettings,
} from '../core/settings.ts';

/** What lies on the web space. */
export interface PublishedFiles {
  /** The folder; empty when nothing lies there. */
  readonly url: string;
  /** The hash of each file's content by its name. */
  readonly files: Readonly<Record<string, string>>;
  /** When it was last brought up to date, Unix milliseconds; null: never. */
  readonly timeMs: number | null;
}

interface Row {
  readonly settings: string;
  readonly published_url: string;
  readonly files: string;
  readonly published_time_ms: number | null;
}

export type MenuPublicationTable = ReturnType<typeof menuPublicationTable>;

/** The single row of the menu's publication. */
export function menuPublicationTable(db: Database) {
  const read = db.prepare<[], Row>(
    'SELECT settings, published_url, files, published_time_ms FROM menu_publication',
  );
  const writeSettings = db.prepare<[string]>('UPDATE menu_publication SET settings = ?');
  const writePublished = db.prepare<[string, string, number | null]>(
    'UPDATE menu_publication SET published_url = ?, files = ?, published_time_ms = ?',
  );
  return {
    /** The settings of the page; those that were never set are absent. */
    settings: (): Partial<MenuPublicationSettings> =>
      parseStoredSettings(menuPublicationSettings, read.get()!.settings, menuPublicationFault),
    writeSettings: (settings: Partial<MenuPublicationSettings>): void =>
      void writeSettings.run(JSON.stringify(settings)),
    published(): PublishedFiles {
      const { published_url: url, files, published_time_ms: timeMs } = read.get()!;
      return { url, files: JSON.parse(files) as PublishedFiles['files'], timeMs };
    },
    writePublished: ({ url, files, timeMs }: PublishedFiles): void =>
      void writePublished.run(url, JSON.stringify(files), timeMs),
  };
}
