import type { Moment } from '../../core/clock/moment.ts';
import type { TableExtent } from '../../store/site/database-stats.ts';
import type { EngineParts } from '../shared/parts.ts';

export type { TableExtent } from '../../store/site/database-stats.ts';

/** Numbers on the staff's first page. */
export interface Dashboard {
  /** True when a mail server is set. */
  readonly isMailConfigured: boolean;
  /** Active accounts. */
  readonly users: number;
  /** Active accounts that joined within thirty days. */
  readonly newUsers: number;
  /** Pours waiting for review. */
  readonly heldPours: number;
}

/** Facts about the whole database, for staff and for diagnosis. */
export interface Overview {
  dashboard(now: Moment): Dashboard;
  /** Names and addresses of all users, to be redacted from bug reports. */
  names(): readonly string[];
  schemaVersion(): number;
  databaseBytes(): number;
  tables(): readonly TableExtent[];
}

const newForMs = 30 * 24 * 3_600_000;

export function createOverview({ store }: EngineParts): Overview {
  return {
    dashboard(now) {
      const { active, recent } = store.databaseStats.userCounts(Math.round(now.wallMs) - newForMs);
      return {
        isMailConfigured: store.mailSettings.read().host !== '',
        users: active,
        newUsers: recent,
        heldPours: store.counters.read('held_drinks'),
      };
    },
    names: () => store.databaseStats.names(),
    schemaVersion: () => store.databaseStats.schemaVersion(),
    databaseBytes: () => store.databaseStats.bytes(),
    tables: () => store.databaseStats.tableExtents(),
  };
}
