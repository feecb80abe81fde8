import { alarmDeclarations, isAlarmKind } from '../../core/alarms/alarm-kinds.ts';
import type { AlarmState } from '../../core/alarms/alarm-policy.ts';
import type { AlarmRecord } from '../../store/notifications/alarms-table.ts';

/** Raised by hand to try all channels. */
export const testAlarmKind = 'test_alarm';

type KindRules = Pick<AlarmState, 'urgency' | 'breaksQuietHours' | 'group'>;

const testRules: KindRules = { urgency: 'high', breaksQuietHours: true, group: 'test' };

/** A kind of another program version, in a restored database, is like the least urgent one. */
const unknownRules: KindRules = { urgency: 'low', breaksQuietHours: false, group: 'unknown' };

/** How alarms of a kind are sent. */
export function alarmRules(kind: string): KindRules {
  if (kind === testAlarmKind) return testRules;
  return isAlarmKind(kind) ? alarmDeclarations[kind] : unknownRules;
}

/** The state of an alarm for the policy. */
export function toAlarmState(alarm: AlarmRecord): AlarmState {
  const { urgency, breaksQuietHours, group } = alarmRules(alarm.kind);
  const { id, kind, raisedMs, acknowledgedMs, resolvedMs } = alarm;
  return { id, kind, urgency, breaksQuietHours, group, raisedMs, acknowledgedMs, resolvedMs };
}
