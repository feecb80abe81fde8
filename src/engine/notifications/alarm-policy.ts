import type { AlarmPolicy } from '../../core/alarms/alarm-policy.ts';
import { parseOpeningHours } from '../../core/clock/opening-hours.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { validateNumber, validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';

/** The rules by which staff are told of alarms. */
export function createAlarmPolicy(parts: EngineParts) {
  const { store } = parts;
  return {
    policy: (): AlarmPolicy => store.notifications.alarmDeliveries.policy(),

    /** Absent fields stay unchanged; an empty text ends the quiet hours. Throws `invalid_request`. */
    changePolicy: (
      {
        quietHours,
        ...requested
      }: Partial<Omit<AlarmPolicy, 'quietHours'>> & { readonly quietHours?: string },
      { actor, now }: ActorContext,
    ): AlarmPolicy =>
      change(parts, () => {
        const before = store.notifications.alarmDeliveries.policy();
        const policy = parsePolicy({
          ...before,
          ...requested,
          ...(quietHours !== undefined && { quietHours: parseQuietHours(quietHours) }),
        });
        store.notifications.alarmDeliveries.writePolicy(policy);
        const subject = { kind: 'alarms', id: 'policy' };
        writeAudit(store, { actor, action: 'alarm_policy.changed', subject, before, after: policy }, now);
        return policy;
      }),
  };
}

const parsePolicy = (policy: AlarmPolicy): AlarmPolicy => ({
  groupWaitS: validateNumber('group_wait_s', policy.groupWaitS, { min: 0, max: 600, whole: true }),
  nextStepMinutes: validateNumber('next_step_minutes', policy.nextStepMinutes, {
    min: 1,
    max: 1_440,
    whole: true,
  }),
  repeatMinutes: validateNumber('repeat_minutes', policy.repeatMinutes, {
    min: 15,
    max: 10_080,
    whole: true,
  }),
  maxRounds: validateNumber('max_rounds', policy.maxRounds, { min: 1, max: 3, whole: true }),
  quietHours: policy.quietHours,
});

function parseQuietHours(text: string): AlarmPolicy['quietHours'] {
  if (text.trim() === '') return null;
  const hours = parseOpeningHours(text.trim());
  if (hours === null) throw validationError('quiet_hours', 'must be hours such as 22:00-08:00, or empty');
  return hours.from === hours.until ? null : hours;
}
