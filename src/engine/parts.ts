import type { GrantLimits } from '../core/boards.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { IdSource } from '../core/moment.ts';
import type { Store } from '../store/store.ts';

/** Settings that decide which pours are held for review. */
export interface EngineSettings {
  /** A faster mean than this is not beer, millilitres a second. */
  readonly maxFlowMlPerS: number;
  /** The most another controller may report as one pour, millilitres; default 100 L. */
  readonly maxReportedMl?: number;
  /** What a presented token allows; by default as much as is drawn without a pause of half a minute. */
  readonly grants?: GrantLimits;
  /** Whether webhooks may lead to this very machine; default no. */
  readonly allowLocalWebhooks?: boolean;
  /** Whether our own pours and temperatures are kept for another house; default no. */
  readonly reportsUpstream?: boolean;
}

/** What every use-case is built from. */
export interface EngineParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly ids: IdSource;
  readonly settings: EngineSettings;
}

/** Does one thing wholly or not at all, and tells the house after commit that the ledger has changed. */
export function change<T>({ store, bus }: EngineParts, work: () => T): T {
  const result = store.transaction(work);
  bus.publish({ type: 'database.changed' });
  return result;
}
