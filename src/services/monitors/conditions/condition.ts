import type { baseAlarms } from '../../../core/alarms/alarm-kinds.ts';
import type { Condition as AnyCondition, ConditionOf } from '../../../core/alarms/condition.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Engine } from '../../../engine/engine.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** A condition of a kind of the base. */
export type Condition = ConditionOf<typeof baseAlarms>;

/**
 * Lists the conditions of one kind or a few, once a minute. A condition that is left out no longer exists, and its alarm is cleared
 * at once; one that cannot be determined now is `unknown`.
 */
export type Detector = (engine: Engine, now: Moment) => readonly AnyCondition[];
