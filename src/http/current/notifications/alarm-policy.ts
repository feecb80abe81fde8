import Type, { type Static } from 'typebox';
import type { AlarmPolicy } from '../../../core/alarms/alarm-policy.ts';
import { formatOpeningHours, openingHoursPattern } from '../../../core/clock/opening-hours.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, errorWords, Maybe, named } from '../../routes/schemas.ts';

const PolicyJson = named(
  'AlarmPolicy',
  Closed(
    {
      group_wait_s: Type.Integer({
        minimum: 0,
        maximum: 600,
        'x-unit': 's',
        description: 'Alarms of one cause that are raised within so many seconds become one message.',
      }),
      next_step_minutes: Type.Integer({
        minimum: 1,
        maximum: 1_440,
        'x-unit': 'min',
        description:
          'Minutes after which an urgent alarm that nobody has acknowledged goes to the next step.',
      }),
      repeat_minutes: Type.Integer({
        minimum: 15,
        maximum: 10_080,
        'x-unit': 'min',
        description: 'Minutes after which an alarm that nobody has acknowledged is repeated.',
      }),
      max_rounds: Type.Integer({
        minimum: 1,
        maximum: 3,
        description: 'Each recipient is told at most so often of an alarm, and once of its end.',
      }),
      quiet_hours: Type.String({
        pattern: openingHoursPattern,
        ...errorWords('must be hours such as 23:00-08:00, or empty', { name: 'opening_hours' }),
        description:
          'Local hours such as `22:00-08:00` in which only alarms are sent that cannot wait; the others follow in one message at the end. Empty: none.',
      }),
    },
    { description: 'When alarms are told.' },
  ),
);

const staff = { access: 'staff' } as const;

/** The rules by which alarms are told, for staff. */
export const alarmPolicyRoutes: readonly Route[] = [
  defineRoute({
    ...staff,
    id: 'getAlarmPolicy',
    method: 'get',
    path: '/admin/alarm-policy',
    summary: 'Get the rules by which alarms are told',
    description: 'They hold for all channels and for the mails that users choose.',
    accepts: {},
    replies: { status: 200, body: Closed({ policy: PolicyJson }) },
    run: ({ engine }) => ({ policy: policyJson(engine.notifications.alarms.policy()) }),
  }),
  defineRoute({
    ...staff,
    id: 'changeAlarmPolicy',
    method: 'patch',
    path: '/admin/alarm-policy',
    summary: 'Change the rules by which alarms are told',
    description: 'Fields left out keep their values. Written to the audit log.',
    accepts: {
      body: Closed({
        group_wait_s: Maybe(PolicyJson.properties.group_wait_s),
        next_step_minutes: Maybe(PolicyJson.properties.next_step_minutes),
        repeat_minutes: Maybe(PolicyJson.properties.repeat_minutes),
        max_rounds: Maybe(PolicyJson.properties.max_rounds),
        quiet_hours: Maybe(PolicyJson.properties.quiet_hours),
      }),
    },
    replies: { status: 200, body: Closed({ policy: PolicyJson }) },
    run(context, { body }) {
      const changes = omitUndefined({
        groupWaitS: body.group_wait_s,
        nextStepMinutes: body.next_step_minutes,
        repeatMinutes: body.repeat_minutes,
        maxRounds: body.max_rounds,
        quietHours: body.quiet_hours,
      });
      return {
        policy: policyJson(context.engine.notifications.alarms.changePolicy(changes, actorContext(context))),
      };
    },
  }),
];

const policyJson = (policy: AlarmPolicy): Static<typeof PolicyJson> => ({
  group_wait_s: policy.groupWaitS,
  next_step_minutes: policy.nextStepMinutes,
  repeat_minutes: policy.repeatMinutes,
  max_rounds: policy.maxRounds,
  quiet_hours: policy.quietHours === null ? '' : formatOpeningHours(policy.quietHours),
});
