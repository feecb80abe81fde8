import type { Moment } from '../../core/moment.ts';
import type { TableReach } from '../../store/tables/look-table.ts';
import type { EngineParts } from '../parts.ts';

export type { TableReach } from '../../store/tables/look-table.ts';

/** What staff see first. */
export interface Dashboard {
  /** True when a mail server is set. */
  readonly isMailConfigured: boolean;
  /** Active accounts. */
  readonly users: number;
  /** Those of them that joined within thirty days. */
  readonly newUsers: number;
  /** Pours that wait for review. */
  readonly heldPours: number;
}

/** The ledger as a whole, for staff and for whoever looks for a fault. */
export interface Overview {
  dashboard(now: Moment): Dashboard;
  /** Names and addresses of everybody, to be kept out of what leaves the house. */
  names(): readonly string[];
  schemaVersion(): number;
  databaseBytes(): number;
  tables(): readonly TableReach[];
}

const newForMs = 30 * 24 * 3_600_000;

export function createOverview({ store }: EngineParts): Overview {
  return {
    dashboard(now) {
      const { active, fresh } = store.look.people(Math.round(now.wallMs) - newForMs);
      return {
        isMailConfigured: store.mailSettings.read().host !== '',
        users: active,
        newUsers: fresh,
        heldPours: store.counters.read('held_drinks'),
      };
    },
    names: () => store.look.names(),
    schemaVersion: () => store.look.schemaVersion(),
    databaseBytes: () => store.look.bytes(),
    tables: () => store.look.reaches(),
  };
}
