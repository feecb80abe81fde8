import type { AlarmKind, AlarmValues } from '../../../core/alarms/alarm-kinds.ts';
import type { ConditionState } from '../../../core/alarms/alarm-rules.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Engine } from '../../../engine/engine.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

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

/**
 * Lists the conditions of one kind or a few, once a minute. A condition that is left out no longer exists, and its alarm is cleared
 * at once; one that cannot be determined now is `unknown`.
 */
export type Detector = (engine: Engine, now: Moment) => readonly Condition[];
