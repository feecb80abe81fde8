import type { GrantLimits } from '../../../core/access/live-grants.ts';
import type { IdSource, Moment } from '../../../core/clock/moment.ts';
import type { EventBus } from '../../../core/event-bus.ts';
import type { Problem } from '../../../core/health/problems.ts';
import type { Controller } from '../../../core/records.ts';
import type { Pours } from '../../../engine/drinks/pours.ts';
import type { Hooks } from '../../../engine/shared/recording-hooks.ts';
import type { Thermo } from '../../../engine/temperatures/thermo.ts';
import type { Store } from '../../../store/store.ts';
import type { Kegboard } from '../core/kegboards.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';
import type { KegboardEvent, KegboardReport } from './kegboard-batch.ts';

/** One batch being recorded, inside its transaction. */
export interface BatchContext {
  readonly store: Store;
  readonly tables: KegboardTables;
  readonly hooks: Hooks;
  readonly ids: IdSource;
  readonly limits: GrantLimits;
  /** Services that publish their events after the commit. */
  readonly pours: Pours;
  readonly thermo: Thermo;
  readonly bus: EventBus;
  readonly controller: Controller;
  readonly bootId: string;
  /** True when the board has restarted since this batch: its state at that time is ignored. */
  readonly isEarlierBoot: boolean;
  readonly now: Moment;
  board: Kegboard;
  /** What could not be used of this batch, for staff. */
  readonly problems: Problem[];
  /** Running pours to publish after the commit. */
  readonly runningPours: { meter: string; pourId: string; ticks: number }[];
  readonly endedPours: { readonly pourId: string; readonly ticks: number }[];
}

/** An event of which it is known whether its number was recorded before. */
export interface NumberedEvent extends KegboardEvent {
  readonly isSentAgain: boolean;
}

/** What a board reports, of one kind. */
export type Report<K extends KegboardReport['kind']> = Extract<KegboardReport, { kind: K }>;
