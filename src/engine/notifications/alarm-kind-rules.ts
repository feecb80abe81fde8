import type { AlarmKinds } from '../../core/alarms/alarm-kinds.ts';
import type { AlarmState } from '../../core/alarms/alarm-policy.ts';
import type { AlarmRecord } from '../../store/notifications/alarms-table.ts';

/** Raised by hand to try all channels. */
export const testAlarmKind = 'test_alarm';

type KindRules = Pick<AlarmState, 'urgency' | 'breaksQuietHours' | 'group'>;

const testRules: KindRules = { urgency: 'high', breaksQuietHours: true, group: 'test' };

/** A kind of another program version, or of an extension that was deleted, is like the least urgent one. */
const unknownRules: KindRules = { urgency: 'low', breaksQuietHours: false, group: 'unknown' };

/** How alarms of a kind are sent. */
export function alarmRules(kinds: AlarmKinds, kind: string): KindRules {
  return kind === testAlarmKind ? testRules : (kinds.find(kind) ?? unknownRules);
}

/** The state of an alarm for the policy. */
export function toAlarmState(kinds: AlarmKinds, alarm: AlarmRecord): AlarmState {
  const { urgency, breaksQuietHours, group } = alarmRules(kinds, alarm.kind);
  const { id, kind, raisedMs, acknowledgedMs, resolvedMs } = alarm;
  return { id, kind, urgency, breaksQuietHours, group, raisedMs, acknowledgedMs, resolvedMs };
}
