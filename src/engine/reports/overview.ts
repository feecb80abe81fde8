import type { Moment } from '../../core/clock/moment.ts';
import type { TableExtent } from '../../store/site/database-stats.ts';
import type { EngineParts } from '../shared/parts.ts';

/** Numbers on the staff's first page. */
interface Dashboard {
  /** True when a mail server is set. */
  readonly isMailConfigured: boolean;
  /** Active accounts. */
  readonly users: number;
  /** Active accounts that joined within thirty days. */
  readonly newUsers: number;
  /** Pours waiting for review. */
  readonly heldPours: number;
}

const newForMs = 30 * 24 * 3_600_000;

/** Facts about the whole database, for staff and for diagnosis. */
export function createOverview({ store }: EngineParts) {
  return {
    dashboard(now: Moment): Dashboard {
      const { active, recent } = store.site.databaseStats.userCounts(Math.round(now.wallMs) - newForMs);
      return {
        isMailConfigured: store.notifications.mailSettings.read().host !== '',
        users: active,
        newUsers: recent,
        heldPours: store.drinks.heldCount(),
      };
    },

    /** Names and addresses of all users, to be redacted from bug reports. */
    names: (): readonly string[] => store.site.databaseStats.names(),

    schemaVersion: (): number => store.site.databaseStats.schemaVersion(),
    databaseBytes: (): number => store.site.databaseStats.bytes(),
    tables: (): readonly TableExtent[] => store.site.databaseStats.tableExtents(),
  };
}
