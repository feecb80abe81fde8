import { beforeEach, describe, expect, test } from 'vitest';
import { createProblem } from '../../../src/core/health/problems.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { hour } from '../../engine/bar.ts';
import { createAlarmBar } from './alarm-bar.ts';

let bar: ReturnType<typeof createAlarmBar>;
beforeEach(() => {
  bar = createAlarmBar();
});

const lowVoltage = [createProblem('low_voltage'), createProblem('low_voltage_advice')];

function dropVoltage(seconds: number): void {
  for (let passed = 0; passed < seconds; passed += 2)
    bar.voltage.add(true, bar.now().monoMs - (seconds - passed) * 1_000);
  bar.voltage.add(false, bar.now().monoMs);
}

describe('undervoltage', () => {
  test('raises one alarm for an evening with many drops, and none of the part “power”', () => {
    bar.parts.push({ name: 'power', problems: lowVoltage, vital: false });
    for (let drop = 0; drop < 6; drop++) {
      dropVoltage(10);
      bar.atTemp(5, 60);
    }
    expect(bar.topics()).toEqual(['undervoltage']);
    bar.atTemp(5, 13 * 60);
    expect(bar.raised()).toEqual([]);
  });

  test('a drop of two seconds raises none', () => {
    dropVoltage(2);
    bar.atTemp(5, 60);
    expect(bar.topics()).toEqual([]);
  });

  test('heat beside it is still a problem of the part “power”', () => {
    const problems = [...lowVoltage, createProblem('too_hot', { temperature: '83' })];
    bar.parts.push({ name: 'power', problems, vital: false });
    bar.atTemp(5, 5);
    expect(bar.topics()).toEqual(['system_problem']);
    expect(bar.mailedValues()[0]).toMatchObject({ problems: [{ code: 'too_hot' }] });
  });
});

describe('the clock', () => {
  test('raises an alarm when it is unset for 20 minutes, which ends once it is set', () => {
    bar.setClock({ synced: false });
    bar.atTemp(5, 20);
    expect(bar.topics()).toEqual([]);
    bar.atTemp(5, 40);
    expect(bar.topics()).toEqual(['clock_unset']);
    bar.setClock({ synced: true });
    bar.atTemp(5, 1);
    expect(bar.raised()).toEqual([]);
  });
});

describe('nightly backups', () => {
  const makeBackup = () => bar.setNewestBackup(bar.now().wallMs);

  test('an alarm is raised when none was made for two days, and ends with the next', () => {
    makeBackup();
    bar.atTemp(5, 48 * 60);
    expect(bar.topics()).toEqual([]);
    bar.atTemp(5, 24 * 60);
    expect(bar.topics()).toEqual(['backup_old']);
    expect(bar.mailedValues()[0]).toMatchObject({ days: 2 });
    makeBackup();
    bar.atTemp(5, 1);
    expect(bar.raised()).toEqual([]);
  });

  test('a failed backup raises the alarm of its part only', () => {
    makeBackup();
    bar.parts.push({ name: 'backups', problems: [createProblem('nightly_backup_failed')], vital: false });
    bar.atTemp(5, 4 * 24 * 60);
    expect(bar.topics()).toEqual(['system_problem']);
  });

  test('a start after days without power raises none: the backup is made within the hour', () => {
    bar.setNewestBackup(bar.now().wallMs - 10 * 24 * hour);
    bar.atTemp(5, 10);
    makeBackup();
    bar.atTemp(5, 10 * 60);
    expect(bar.topics()).toEqual([]);
  });

  test('a bar without any backup is reported after two days, one that wants none never', () => {
    bar.atTemp(5, 72 * 60);
    expect(bar.topics()).toEqual(['backup_old']);
    const without = createAlarmBar();
    without.engine.reports.changeSettings({ nightlyBackups: false }, systemActor, without.now());
    without.atTemp(5, 72 * 60);
    expect(without.topics()).toEqual([]);
  });
});

test('a start after a power cut raises at most the alarm that the clock is unset', () => {
  addOldState();
  bar.setClock({ synced: false });
  bar.restart();
  bar.atTemp(6, 3 * 60);
  expect(bar.topics()).toEqual(['clock_unset']);
});

function addOldState(): void {
  bar.setNewestBackup(bar.now().wallMs - 30 * hour);
  bar.parts.push({ name: 'power', problems: lowVoltage, vital: false });
  bar.parts.push({ name: 'backups', problems: [], vital: false });
}

test('an update that was taken back raises an alarm with its reason, which ends with the next good one', () => {
  const params = { version: '0.2.0', running: '0.1.0', reason: 'restarts' } as const;
  bar.parts.push({ name: 'updates', problems: [createProblem('update_taken_back', params)], vital: false });
  bar.atTemp(5, 5);
  expect(bar.raised()).toEqual(['system_problem updates']);
  expect(bar.mailedValues()[0]).toMatchObject({ problems: [{ code: 'update_taken_back', params }] });
  bar.parts.pop();
  bar.parts.push({ name: 'updates', problems: [], vital: false });
  bar.atTemp(5, 31);
  expect(bar.raised()).toEqual([]);
});
