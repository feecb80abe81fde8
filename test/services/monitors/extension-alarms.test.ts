import { beforeEach, expect, test } from 'vitest';
import type { AlarmDeclarations } from '../../../src/core/alarms/alarm-kinds.ts';
import type { Condition, ConditionOf } from '../../../src/core/alarms/condition.ts';
import { defineExtension } from '../../../src/extensions/extension.ts';
import { createStaffClient } from '../../http/current/staff-client.ts';
import { switchOn } from '../../kit/extensions.ts';
import { createAlarmBar } from './alarm-bar.ts';

const dartAlarms = {
  dart_lost: {
    urgency: 'high',
    breaksQuietHours: false,
    group: 'darts',
    description: 'A dart was lost.',
    values: { board: 'text' },
  },
  board_worn: {
    urgency: 'low',
    breaksQuietHours: false,
    group: 'darts',
    description: 'A board is worn.',
    values: {},
  },
} as const satisfies AlarmDeclarations;

const isBad = { state: 'bad', lastsMs: 0, clearsAfterMs: 0 } as const;
const lost: ConditionOf<typeof dartAlarms> = {
  kind: 'dart_lost',
  subject: 'Left',
  ...isBad,
  values: { board: 'Left' },
};
const worn: Condition = { kind: 'board_worn', subject: 'Left', ...isBad, values: {} };

const darts = defineExtension({
  name: 'darts',
  isOnByDefault: true,
  alarms: dartAlarms,
  services: async () => () => ({}),
  hooks: () => ({ alarmConditions: () => [lost] }),
});
const switchedOn = await switchOn([darts]);

let bar: ReturnType<typeof createAlarmBar>;
beforeEach(() => {
  // What runs in the background of an extension tells its conditions besides.
  bar = createAlarmBar({ backgroundConditions: () => [worn] }, { switchedOn });
});

test('conditions of an extension raise its alarms, with their urgency', () => {
  bar.atTemp(null, 1);
  expect(bar.raised()).toEqual(['dart_lost Left', 'board_worn Left']);
  const { items } = bar.engine.notifications.alarms.list({});
  expect(items.map(({ kind, urgency }) => [kind, urgency])).toEqual([
    ['board_worn', 'low'],
    ['dart_lost', 'high'],
  ]);
});

test('users and channels choose its kinds, which the API has as its own', async () => {
  const anna = createStaffClient(bar);
  const { notification_settings: listed } = await anna.send('get', '/notification-settings');
  expect(listed[0]).toMatchObject({ dart_lost: true, board_worn: true, too_warm: true });
  const { id } = listed[0];
  const changed = await anna.send('patch', `/notification-settings/${id}`, { dart_lost: false });
  expect(changed.notification_setting).toMatchObject({ dart_lost: false, board_worn: true });
  await anna.expectError(400, 'patch', `/notification-settings/${id}`, { darts: true });
});

test('when it is switched off its alarms end and stay listed, and what was chosen stays', async () => {
  const anna = createStaffClient(bar);
  const actor = { actor: { userId: null, via: 'console' }, now: bar.now() } as const;
  const channel = bar.engine.notifications.alarmChannels.add(
    { kind: 'ntfy', name: 'Phone', fields: { topic: 'darts' }, alarmKinds: ['dart_lost'] },
    actor,
  );
  bar.atTemp(null, 1);
  bar.engine.useExtensions([]);
  expect(bar.engine.notifications.alarms.get(1)).toMatchObject({
    kind: 'dart_lost',
    urgency: 'high',
    resolvedMs: null,
  });
  bar.atTemp(null, 1);
  expect(bar.raised()).toEqual(['board_worn Left']);
  expect(bar.topics()).toEqual(['board_worn', 'dart_lost']);
  const { notification_settings: listed } = await anna.send('get', '/notification-settings');
  expect(listed[0]).toMatchObject({ dart_lost: true });
  await anna.send('patch', `/notification-settings/${listed[0].id}`, { too_warm: false });
  const { wants } = bar.engine.notifications.list(bar.anna)[0]!;
  expect([wants.dart_lost, wants.too_warm ?? false]).toEqual([true, false]);
  expect(bar.engine.notifications.alarmChannels.list()).toMatchObject([
    { id: channel.id, alarmKinds: ['dart_lost'] },
  ]);
});
