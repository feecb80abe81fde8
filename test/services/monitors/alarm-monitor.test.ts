import { beforeEach, expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import { createAlarmBar } from './alarm-bar.ts';

let bar: ReturnType<typeof createAlarmBar>;
beforeEach(() => {
  bar = createAlarmBar();
});

test('a tap too warm for half an hour raises one alarm, and another only after it was cool for as long', () => {
  bar.atTemp(12.5, 30);
  expect(bar.topics()).toEqual([]);
  bar.atTemp(12.5, 200);
  expect(bar.topics()).toEqual(['too_warm']);
  bar.atTemp(10, 20);
  bar.atTemp(12.5, 60);
  expect(bar.topics()).toEqual(['too_warm']);
  bar.atTemp(10, 31);
  bar.atTemp(12.5, 31);
  expect(bar.topics()).toEqual(['too_warm', 'too_warm']);
});

test('a temperature that varies around its limit raises at most one alarm', () => {
  for (let hour = 0; hour < 24; hour++) {
    bar.atTemp(12.4, 20);
    bar.atTemp(11.6, 20);
  }
  expect(bar.topics().length).toBeLessThanOrEqual(1);
});

test('a restart does not raise the alarm again', () => {
  bar.atTemp(14, 40);
  bar.restart();
  bar.atTemp(14, 60);
  expect(bar.topics()).toEqual(['too_warm']);
});

test('a silent thermo sensor raises no temperature alarm', () => {
  bar.atTemp(14, 10);
  bar.atTemp(null, 200);
  expect(bar.topics()).toEqual([]);
});

test('without a limit there is no temperature alarm', () => {
  bar.store.notifications.alarms.changeSettings({
    tooWarmC: null,
    tooWarmMinutes: 30,
    silentMinutes: 15,
    diskEnduranceTb: null,
  });
  bar.atTemp(30, 60);
  expect(bar.topics()).toEqual([]);
});

test('a full disk raises an alarm when it lasts, sent only to staff who subscribed', () => {
  bar.parts.push({ name: 'disk', problems: [textProblem('The disk is nearly full.')], vital: false });
  bar.parts.push({ name: 'clock', problems: [textProblem('The time is not set.')], vital: false });
  bar.atTemp(null, 1);
  expect(bar.topics()).toEqual([]);
  bar.atTemp(null, 10);
  expect(bar.topics()).toEqual(['system_problem']);
  expect(bar.engine.notifications.outbox.list({}).items[0]).toMatchObject({ recipient: 'anna' });
});

test('beer through a shut valve raises an alarm at the first check', () => {
  bar.parts.push({ name: 'valves', problems: [textProblem('Beer flows at the tap Left.')], vital: false });
  bar.atTemp(null, 1);
  expect(bar.topics()).toEqual(['system_problem']);
  expect(bar.mailedValues().map(({ part }) => part)).toEqual(['valves']);
});

test('a detector that fails hides no other alarm and ends none of its own', () => {
  let isBroken = false;
  const failing = createAlarmBar({
    disk() {
      if (isBroken) throw new Error('cannot be read');
      const size = { sizeBytes: 16e9, writtenBytes: 1e9, usedPercent: 95, isReserveLow: true };
      return { name: 'mmcblk0', identity: 'mmcblk0', ...size };
    },
  });
  failing.atTemp(null, 1);
  expect(failing.topics()).toEqual(['card_wears_out']);
  isBroken = true;
  failing.atTemp(14, 180);
  expect(failing.raised()).toContain('card_wears_out mmcblk0');
  expect(failing.topics()).toContain('too_warm');
  // After a restart it has found nothing yet.
  failing.restart();
  failing.atTemp(14, 1);
  expect(failing.raised()).toContain('card_wears_out mmcblk0');
});
