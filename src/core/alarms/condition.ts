import type { AlarmDeclarations, AlarmValues } from './alarm-kinds.ts';
import type { ConditionState } from './alarm-rules.ts';

/** One condition that may raise an alarm. */
export interface Condition {
  readonly kind: string;
  readonly subject: string;
  readonly state: ConditionState;
  /** How long it must last to raise the alarm, milliseconds. */
  readonly lastsMs: number;
  /** How long it must be good before the alarm is cleared, milliseconds; 30 minutes unless given. */
  readonly clearsAfterMs?: number;
  /** Those of its message. */
  readonly values: object;
}

/** A condition of one of the declared kinds, with the values of that kind. */
export type ConditionOf<Declared extends AlarmDeclarations> = {
  readonly [Kind in keyof Declared & string]: Condition & {
    readonly kind: Kind;
    readonly values: AlarmValues<Declared[Kind]>;
  };
}[keyof Declared & string];
