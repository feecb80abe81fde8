import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AlarmDelivery,
  type AlarmPolicy,
  type AlarmReceiver,
  type AlarmState,
  type DueAlarmMessage,
  findDueAlarmMessages,
  isQuietHour,
} from '../../../src/core/alarms/alarm-policy.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const timeZone = 'Europe/Berlin';
/** Friday 1 May 2026, 20:00 in Berlin. */
const evening = Date.UTC(2026, 4, 1, 18);

const policy: AlarmPolicy = {
  groupWaitS: 30,
  nextStepMinutes: 15,
  repeatMinutes: 240,
  maxRounds: 3,
  quietHours: { from: '22:00', until: '08:00' },
};

const alarm = (change: Partial<AlarmState> = {}): AlarmState => ({
  id: 1,
  kind: 'too_warm',
  urgency: 'high',
  breaksQuietHours: true,
  group: 'cooling',
  raisedMs: evening,
  acknowledgedMs: null,
  resolvedMs: null,
  ...change,
});

const quietKind = { kind: 'backup_old', urgency: 'low', breaksQuietHours: false, group: 'backup' } as const;

const receiver = (id: string, change: Partial<AlarmReceiver> = {}): AlarmReceiver => ({
  id,
  step: 1,
  onlyUrgent: false,
  kinds: null,
  ...change,
});

/** Who is told in a simulation of the daemon, which stores each message that is due. */
function simulate(
  {
    alarms,
    receivers,
    rules = policy,
  }: {
    readonly alarms: readonly AlarmState[];
    readonly receivers: readonly AlarmReceiver[];
    readonly rules?: AlarmPolicy;
  },
  times: Iterable<number>,
) {
  const deliveries: AlarmDelivery[] = [];
  const sent: (DueAlarmMessage & { readonly atMs: number })[] = [];
  for (const nowMs of times) {
    const known = alarms
      .filter(({ raisedMs }) => raisedMs <= nowMs)
      .map((one) => ({
        ...one,
        acknowledgedMs:
          one.acknowledgedMs !== null && one.acknowledgedMs <= nowMs ? one.acknowledgedMs : null,
        resolvedMs: one.resolvedMs !== null && one.resolvedMs <= nowMs ? one.resolvedMs : null,
      }));
    const due = findDueAlarmMessages({
      alarms: known,
      receivers,
      deliveries,
      policy: rules,
      nowMs,
      timeZone,
    });
    for (const message of due) {
      sent.push({ ...message, atMs: nowMs });
      for (const one of message.deliveries)
        deliveries.push({ ...one, receiver: message.receiver, timeMs: nowMs });
    }
  }
  return { sent, deliveries };
}

function* every(stepMs: number, fromMs: number, untilMs: number) {
  for (let ms = fromMs; ms <= untilMs; ms += stepMs) yield ms;
}

const brief = ({ sent }: ReturnType<typeof simulate>, from = evening) =>
  sent.map(
    ({ receiver: to, event, deliveries, atMs }) =>
      `${(atMs - from) / minute} min: ${event} ${deliveries.map(({ alarmId }) => alarmId).join('+')} to ${to}`,
  );

describe('an urgent alarm', () => {
  test('goes to the first step at once, to the next ones every 15 minutes, and is repeated twice', () => {
    const receivers = [receiver('a'), receiver('b', { step: 2 }), receiver('c', { step: 3 })];
    const told = simulate({ alarms: [alarm()], receivers }, every(30 * second, evening, evening + 24 * hour));
    expect(brief(told)).toEqual([
      '0.5 min: raised 1 to a',
      '15.5 min: escalated 1 to b',
      '30.5 min: escalated 1 to c',
      '240.5 min: repeated 1 to a',
      '255.5 min: repeated 1 to b',
      '270.5 min: repeated 1 to c',
      '480.5 min: repeated 1 to a',
      '495.5 min: repeated 1 to b',
      '510.5 min: repeated 1 to c',
    ]);
  });

  test('goes to nobody else once it is acknowledged, and its end to those who were told', () => {
    const receivers = [receiver('a'), receiver('b', { step: 2 })];
    const acknowledged = alarm({ acknowledgedMs: evening + 10 * minute, resolvedMs: evening + 60 * minute });
    const told = simulate({ alarms: [acknowledged], receivers }, every(minute, evening, evening + 24 * hour));
    expect(brief(told)).toEqual(['1 min: raised 1 to a', '60 min: resolved 1 to a']);
  });

  test('begins with the lowest step that has a receiver for it', () => {
    const receivers = [
      receiver('a', { kinds: new Set(['backup_old']) }),
      receiver('b', { step: 2 }),
      receiver('c', { step: 3 }),
    ];
    const told = simulate({ alarms: [alarm()], receivers }, every(minute, evening, evening + 20 * minute));
    expect(brief(told)).toEqual(['1 min: raised 1 to b', '16 min: escalated 1 to c']);
  });

  test('that ends within the wait is told to nobody', () => {
    const short = alarm({ resolvedMs: evening + 20 * second });
    const told = simulate(
      { alarms: [short], receivers: [receiver('a')] },
      every(10 * second, evening, evening + hour),
    );
    expect(told.sent).toEqual([]);
  });
});

test('an alarm that is not urgent stays with the first step, and with those who want such ones', () => {
  const receivers = [receiver('a'), receiver('b', { step: 2 }), receiver('c', { onlyUrgent: true })];
  const low = alarm({ ...quietKind });
  const told = simulate({ alarms: [low], receivers }, every(minute, evening, evening + 110 * minute));
  expect(brief(told)).toEqual(['1 min: raised 1 to a']);
});

test('alarms of one group within the wait become one message, those of other groups their own', () => {
  const alarms = [
    alarm({ id: 1, group: 'power' }),
    alarm({ id: 2, group: 'power', raisedMs: evening + 20 * second }),
    alarm({ id: 3, group: 'cooling', raisedMs: evening + 20 * second }),
    alarm({ id: 4, group: 'power', raisedMs: evening + 40 * second }),
  ];
  const told = simulate(
    { alarms, receivers: [receiver('a')] },
    every(10 * second, evening, evening + 5 * minute),
  );
  expect(brief(told)).toEqual([
    '0.5 min: raised 1+2 to a',
    `${50 / 60} min: raised 3 to a`,
    `${70 / 60} min: raised 4 to a`,
  ]);
});

describe('quiet hours', () => {
  const receivers = [receiver('a')];
  const night = evening + 3 * hour;
  const low = { ...quietKind, raisedMs: night };

  test('hold back what may wait, and tell all of it in one message at their end', () => {
    const alarms = [
      alarm({ ...low, id: 1 }),
      alarm({ ...low, id: 2, group: 'other', raisedMs: night + hour }),
      alarm({ ...low, id: 3, group: 'third', resolvedMs: night + 2 * hour }),
      alarm({ ...low, id: 4, group: 'fourth', acknowledgedMs: night + hour }),
      alarm({ id: 5, raisedMs: night }),
    ];
    const told = simulate(
      { alarms, receivers, rules: { ...policy, maxRounds: 1 } },
      every(minute, evening, evening + 16 * hour),
    );
    expect(brief(told, night)).toEqual(['1 min: raised 5 to a', '540 min: digest 1+2+3+3 to a']);
  });

  test('also hold back the end of such an alarm', () => {
    const alarms = [alarm({ ...low, raisedMs: evening, resolvedMs: night })];
    const told = simulate({ alarms, receivers }, every(minute, evening, evening + 24 * hour));
    expect(brief(told)).toEqual(['1 min: raised 1 to a', '720 min: resolved 1 to a']);
  });

  test('are local hours, also when the clocks change', () => {
    const hours = (ms: number) => isQuietHour(policy, ms, timeZone);
    // 29 March 2026: 02:00 becomes 03:00.
    expect(hours(Date.UTC(2026, 2, 28, 20, 59))).toBe(false);
    expect(hours(Date.UTC(2026, 2, 28, 21))).toBe(true);
    expect(hours(Date.UTC(2026, 2, 29, 5, 59))).toBe(true);
    expect(hours(Date.UTC(2026, 2, 29, 6))).toBe(false);
    expect(isQuietHour({ ...policy, quietHours: null }, night, timeZone)).toBe(false);
    expect(isQuietHour({ ...policy, quietHours: { from: '08:00', until: '08:00' } }, night, timeZone)).toBe(
      false,
    );
  });
});

test('an alarm from before the quiet hours that was first seen and ended within them is told in the morning', () => {
  const before = evening + 2 * hour - 3 * minute;
  const told = simulate(
    {
      alarms: [alarm({ ...quietKind, raisedMs: before, resolvedMs: before + 20 * minute })],
      receivers: [receiver('a')],
    },
    every(5 * minute, before + 5 * minute, evening + 13 * hour),
  );
  expect(told.sent.map(({ event }) => event)).toEqual(['digest']);
});

test('after an outage each receiver gets one message of an alarm, not those that were missed', () => {
  const told = simulate({ alarms: [alarm()], receivers: [receiver('a')] }, [
    evening + minute,
    evening + 40 * hour,
    evening + 40 * hour + minute,
    evening + 40 * hour + 2 * minute,
  ]);
  expect(brief(told)).toEqual(['1 min: raised 1 to a', '2400 min: repeated 1 to a']);
});

const times = fc.integer({ min: 0, max: 3 * 24 * 60 }).map((minutes) => evening + minutes * minute);
const anyAlarm = fc
  .record({
    raisedMs: times,
    acknowledgedAfter: fc.option(fc.integer({ min: 0, max: 2_000 })),
    resolvedAfter: fc.option(fc.integer({ min: 0, max: 4_000 })),
    isUrgent: fc.boolean(),
    isLoud: fc.boolean(),
    group: fc.constantFrom('power', 'cooling', 'backup'),
  })
  .map(({ raisedMs, acknowledgedAfter, resolvedAfter, isUrgent, isLoud, group }) => {
    const isOverFirst =
      acknowledgedAfter !== null && resolvedAfter !== null && resolvedAfter < acknowledgedAfter;
    return {
      raisedMs,
      group,
      urgency: isUrgent ? 'high' : 'low',
      breaksQuietHours: isUrgent && isLoud,
      acknowledgedMs:
        acknowledgedAfter === null || isOverFirst ? null : raisedMs + acknowledgedAfter * minute,
      resolvedMs: resolvedAfter === null ? null : raisedMs + resolvedAfter * minute,
    } as const;
  });
const bar = fc.record({
  alarms: fc
    .array(anyAlarm, { minLength: 1, maxLength: 5 })
    .map((all) => all.map((one, index) => alarm({ ...one, id: index + 1 }))),
  receivers: fc
    .array(fc.record({ step: fc.integer({ min: 1, max: 3 }), onlyUrgent: fc.boolean() }), { maxLength: 4 })
    .map((all) => all.map((one, index) => receiver(`channel:${index}`, one))),
});
/** Steps of the daemon: mostly short ones, some outages, and jumps of the clock in both directions. */
const steps = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(10 * minute) },
    fc.integer({ min: 1, max: 30 * 60 }).map((minutes) => minutes * minute),
    fc.integer({ min: -300, max: -1 }).map((minutes) => minutes * minute),
  ),
  { minLength: 10, maxLength: 300 },
);

test('for any alarms, times and clock: rounds, acknowledgement, quiet hours and ends are kept', () => {
  fc.assert(
    fc.property(bar, steps, ({ alarms, receivers }, jumps) => {
      let nowMs = evening;
      const moments = jumps.map((ms) => (nowMs += ms));
      const { sent, deliveries } = simulate({ alarms, receivers }, moments);
      const keys = deliveries.map(({ alarmId, receiver: to, round }) => `${alarmId} ${to} ${round}`);
      // Each receiver is told at most once in each of three rounds, and once of the end.
      expect(new Set(keys).size).toBe(keys.length);
      expect(deliveries.every(({ round }) => round >= 0 && round <= policy.maxRounds)).toBe(true);
      for (const { atMs, receiver: to, deliveries: told } of sent) {
        for (const { alarmId, round } of told) {
          const one = alarms.find(({ id }) => id === alarmId)!;
          // An acknowledged alarm is never told again.
          if (round > 0 && one.acknowledgedMs !== null) expect(atMs).toBeLessThan(one.acknowledgedMs);
          // Nothing that may wait is sent in quiet hours.
          if (!one.breaksQuietHours) expect(isQuietHour(policy, atMs, timeZone)).toBe(false);
          // The end is told only to those who were told of the alarm, or in the same message.
          if (round === 0) {
            const earlier = sent.filter((other) => other.atMs <= atMs && other.receiver === to);
            expect(
              earlier.some((other) => other.deliveries.some((d) => d.alarmId === alarmId && d.round > 0)),
            ).toBe(true);
          }
          if (one.urgency === 'low')
            expect(
              Math.min(...receivers.filter(({ onlyUrgent }) => !onlyUrgent).map(({ step }) => step)),
            ).toBe(receivers.find(({ id }) => id === to)!.step);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('everything that was held back is told after the quiet hours', () => {
  fc.assert(
    fc.property(bar, ({ alarms, receivers }) => {
      const { deliveries } = simulate(
        { alarms, receivers },
        every(5 * minute, evening, evening + 5 * 24 * hour),
      );
      for (const one of alarms.filter(({ acknowledgedMs, raisedMs, resolvedMs }) => {
        const lasted = (resolvedMs ?? Number.POSITIVE_INFINITY) - raisedMs;
        return acknowledgedMs === null && lasted >= 10 * minute;
      })) {
        const wanting = receivers.filter(({ onlyUrgent }) => !onlyUrgent || one.urgency === 'high');
        const first = Math.min(...wanting.map(({ step }) => step));
        for (const { id } of wanting.filter(({ step }) => step === first))
          expect(deliveries.some((told) => told.alarmId === one.id && told.receiver === id)).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});
