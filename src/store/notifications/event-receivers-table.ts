import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';
import { type EventKind, eventKinds } from './notification-settings-table.ts';

/** Who is told of events, and of which kinds. */
interface EventReceivers {
  /** Without kinds: all, also those of later versions. */
  readonly webhooks: readonly { readonly url: string; readonly kinds: readonly string[] | null }[];
  /** Active users with an address; none while no mail server is set. */
  readonly readers: readonly { readonly userId: number; readonly kinds: readonly string[] }[];
}

/** Who is told of every event, and of what has no event, by messages of a kind of its own. */
export interface NewsReceiver {
  /** Name of the transport. */
  readonly kind: string;
  readonly target: string;
  /** Waiting messages at most; the oldest beyond that are given up. */
  readonly maxWaiting: number;
}

/** The receivers of events, read for each event and changed rarely. */
export function eventReceiversTable(db: Database, caches: Caches) {
  const webhooks = db.prepare<[], { url: string; event_kinds: string | null }>(
    'SELECT url, event_kinds FROM webhook_targets WHERE is_enabled = 1 ORDER BY id',
  );
  const readers = db.prepare<[], { user_id: number } & Record<EventKind, number>>(
    `SELECT n.user_id, ${eventKinds.map((name) => `n.${name}`).join(', ')}
     FROM notification_settings n JOIN users u ON u.id = n.user_id
     WHERE u.is_active = 1 AND u.email <> '' AND (SELECT host FROM mail_settings) <> '' ORDER BY n.id`,
  );
  let ofNews: () => readonly NewsReceiver[] = () => [];
  return {
    all: caches.untilChange(
      (): EventReceivers => ({
        webhooks: webhooks.all().map(({ url, event_kinds: kinds }) => ({
          url,
          kinds: kinds === null ? null : (JSON.parse(kinds) as readonly string[]),
        })),
        readers: readers.all().map((row) => ({
          userId: row.user_id,
          kinds: eventKinds.filter((kind) => row[kind] === 1),
        })),
      }),
    ),
    /** Those of the extensions that are on. */
    ofNews: (): readonly NewsReceiver[] => ofNews(),
    /** From now on these are told the news, too. */
    useForNews(read: typeof ofNews): void {
      ofNews = read;
    },
  };
}
