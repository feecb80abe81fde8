import type { AlarmKind, AlarmValues } from './alarm-kinds.ts';
import type { ConditionState } from './alarm-rules.ts';

/** One condition that may raise an alarm, with the values of its message. */
export type Condition = {
  readonly [Kind in AlarmKind]: {
    readonly kind: Kind;
    readonly subject: string;
    readonly state: ConditionState;
    /** How long it must last to raise the alarm, milliseconds. */
    readonly lastsMs: number;
    /** How long it must be good before the alarm is cleared, milliseconds; 30 minutes unless given. */
    readonly clearsAfterMs?: number;
    readonly values: AlarmValues[Kind];
  };
}[AlarmKind];
