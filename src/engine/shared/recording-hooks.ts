import type { Moment } from '../../core/clock/moment.ts';
import type { FlowEnd } from '../../core/pours/flow-end.ts';
import type { Drink } from '../../core/records.ts';
import type { ClosedTapState } from '../../core/taps/tap-state.ts';
import type { Row } from '../../store/drinks/rows-table.ts';
import type { Via } from '../../store/reports/audit-table.ts';

/** A reading of a sensor of this machine, with the sensor's offset. */
export interface SensorReading {
  readonly name: string;
  readonly tempC: number;
  readonly at: Moment;
}

/** When something flowed through a tap, by the best clocks available. */
export interface TapFlow {
  readonly tapId: number;
  readonly pourTimeMs: number;
  readonly bootId: string;
  readonly endMonoMs: number;
  readonly durationMs: number;
}

/** The judgement that what flowed was no drink. */
export interface SetAside {
  /** One of the extension's `heldReasons`. */
  readonly reason: string;
  /** Called with the id of its row in the transaction that recorded it; may write. */
  recorded(drinkId: number, now: Moment): void;
}

/** Who makes a change, and when: the same as `ActorContext`, which imports these hooks. */
interface ChangeContext {
  readonly actor: { readonly userId: number | null; readonly via: Via; readonly tablet?: string };
  readonly now: Moment;
}

/** What an extension does with the pours that it set aside, also while it is off. Each may write in the transaction of the change. */
export interface SetAsidePours {
  /** One of its `heldReasons`; the other members are called for pours with this reason only. */
  readonly reason: string;
  /** The kegs of which something is booked because of the pour. Reads only. */
  kegIds(drinkId: number): readonly number[];
  /** The pour has become a drink. */
  kept(drinkId: number, context: ChangeContext): void;
  /**
   * Rows of such pours were changed by undoing a correction; totals are computed afterwards. The function that it returns is called
   * once the undoing is in the audit log.
   */
  restored(rows: readonly Row[]): (context: ChangeContext) => void;
}

/** Where the base tells the extensions that are on what is recorded. Each may write in the transaction of the record. */
export interface RecordingHooks {
  /** Whether what flowed was no drink; null: as far as the extension knows it was. Reads only, and memory only for usual drinks. */
  judgePour(flow: TapFlow): SetAside | null;
  /** A drink became valid: recorded as such, or a held pour that staff keep. Not for what an import adds. */
  drinkRecorded(drink: Drink, end: FlowEnd): void;
  /** Readings of sensors of this machine were stored. */
  temperaturesRead(readings: readonly SensorReading[]): void;
  /** Why nobody may drink what comes out of the tap; null: as far as the extension knows they may. Reads only, and memory only for pours. */
  closedState(tapId: number): ClosedTapState | null;
  /** The tap is being deleted. */
  tapRemoved(tapId: number, now: Moment): void;
}

/** The hooks of every extension that is on. */
export type Hooks = ReturnType<typeof createRecordingHooks>;

/** Calls the hooks of every extension that is on, in the order of `use`. `setAsidePours` are those of all extensions. */
export function createRecordingHooks(setAsidePours: readonly SetAsidePours[] = []) {
  let judgePour: readonly RecordingHooks['judgePour'][] = [];
  let drinkRecorded: readonly RecordingHooks['drinkRecorded'][] = [];
  let temperaturesRead: readonly RecordingHooks['temperaturesRead'][] = [];
  let closedState: readonly RecordingHooks['closedState'][] = [];
  let tapRemoved: readonly RecordingHooks['tapRemoved'][] = [];
  return {
    /** From now on these are called. */
    use(all: readonly Partial<RecordingHooks>[]): void {
      judgePour = all.flatMap((hooks) => hooks.judgePour ?? []);
      drinkRecorded = all.flatMap((hooks) => hooks.drinkRecorded ?? []);
      temperaturesRead = all.flatMap((hooks) => hooks.temperaturesRead ?? []);
      closedState = all.flatMap((hooks) => hooks.closedState ?? []);
      tapRemoved = all.flatMap((hooks) => hooks.tapRemoved ?? []);
    },
    judgePour: ({ tapId, ...flow }: Omit<TapFlow, 'tapId'> & { readonly tapId: number | null }) =>
      tapId === null ? null : firstOf(judgePour, (hook) => hook({ tapId, ...flow })),
    setAsidePours: (): readonly SetAsidePours[] => setAsidePours,
    drinkRecorded(drink: Drink, end: FlowEnd): void {
      for (const hook of drinkRecorded) hook(drink, end);
    },
    temperaturesRead(readings: readonly SensorReading[]): void {
      for (const hook of temperaturesRead) hook(readings);
    },
    closedState: (tapId: number): ClosedTapState | null => firstOf(closedState, (hook) => hook(tapId)),
    tapRemoved(tapId: number, now: Moment): void {
      for (const hook of tapRemoved) hook(tapId, now);
    },
  };
}

/** The first answer that is not null. */
function firstOf<H, T>(hooks: readonly H[], ask: (hook: H) => T | null): T | null {
  for (const hook of hooks) {
    const answer = ask(hook);
    if (answer !== null) return answer;
  }
  return null;
}
