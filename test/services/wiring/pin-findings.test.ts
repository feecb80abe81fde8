import { expect, test } from 'vitest';
import { findHeader } from '../../../src/config/hardware-catalogue.ts';
import { createProblem, textProblem } from '../../../src/core/health/problems.ts';
import { findHeaderPin, headerFinding } from '../../../src/services/wiring/header-findings.ts';
import { type PinFacts, pinFindings } from '../../../src/services/wiring/pin-findings.ts';
import { sensorFinding } from '../../../src/services/wiring/sensor-findings.ts';

/** A meter without a problem. */
const healthyMeter: PinFacts = {
  meter: 'pi.flow0',
  pin: 17,
  level: 1,
  hz: 60,
  ticks: 500,
  refused: 0,
  lost: 0,
  shape: 'steady',
  echoOf: null,
  problem: null,
  state: 'counting',
  mainsHz: null,
  rangeFault: null,
  configuredMeter: { bias: 'pull-up', edge: 'falling' },
};

const findTopics = (change: Partial<PinFacts>) =>
  pinFindings({ ...healthyMeter, ...change }).map(({ topic, status }) => `${status} ${topic}`);

test('a meter without a problem has one finding', () => {
  expect(pinFindings(healthyMeter)).toEqual([
    {
      topic: 'counts',
      status: 'ok',
      text: 'It counted 500 ticks since the start and missed none, 60 a second now.',
    },
  ]);
});

test('a meter that never pulsed is reported as unknown, with the advice to pour', () => {
  const quiet = { ticks: 0, hz: 0, shape: 'quiet' } as const;
  expect(findTopics(quiet)).toEqual(['unknown never']);
  expect(pinFindings({ ...healthyMeter, ...quiet })[0]?.advice).toMatch(
    /^Pour a little\. If nothing comes: check/,
  );
});

test('a line that cannot be opened has only that finding', () => {
  const problem = textProblem('GPIO 17 is already taken by "spi0 CS1": free it there or choose another pin.');
  expect(pinFindings({ ...healthyMeter, state: 'fault', problem })).toEqual([
    { topic: 'line_fault', status: 'fail', text: problem.message, problem },
  ]);
});

test('noise, stray pulses and another meter’s pulses are reported with advice', () => {
  expect(findTopics({ shape: 'bounce' })).toEqual(['fail bounce']);
  expect(findTopics({ shape: 'stray' })).toEqual(['warn stray']);
  expect(findTopics({ echoOf: 'pi.flow1' })).toEqual(['fail echo']);
  expect(pinFindings({ ...healthyMeter, echoOf: 'pi.flow1' })[0]?.text).toContain('pi.flow1');
  for (const change of [{ shape: 'bounce' }, { shape: 'stray' }, { echoOf: 'pi.flow1' }] as const) {
    expect(pinFindings({ ...healthyMeter, ...change })[0]?.advice).toBeTruthy();
  }
});

test('a pin without a pull that pulses at mains frequency is floating; with a pull it is not', () => {
  expect(findTopics({ mainsHz: 50, configuredMeter: { bias: 'none', edge: 'falling' } })).toEqual([
    'fail mains',
  ]);
  expect(findTopics({ mainsHz: 50 })).toEqual(['ok counts']);
});

test('an edge that does not fit the pull is reported as reversed', () => {
  expect(findTopics({ configuredMeter: { bias: 'pull-up', edge: 'rising' } })).toEqual(['warn reversed']);
  expect(findTopics({ configuredMeter: { bias: 'pull-down', edge: 'falling' } })).toEqual(['warn reversed']);
  expect(findTopics({ configuredMeter: { bias: 'pull-down', edge: 'rising' } })).toEqual(['ok counts']);
  expect(findTopics({ configuredMeter: { bias: 'none', edge: 'rising' } })).toEqual(['ok counts']);
});

test('a line held against its pull is a warning until it moves', () => {
  const held = { level: 0, ticks: 0, shape: 'quiet' } as const;
  expect(findTopics(held)).toEqual(['warn stuck']);
  expect(findTopics({ ...held, refused: 1 })).toEqual(['ok counts']);
  expect(findTopics({ ...held, level: null })).toEqual(['unknown never']);
});

test('missed ticks are a warning; a driver that cannot prove its count is reported as unproven', () => {
  const problem = createProblem('ticks_missed', { ticks: 12, meter: 'pi.flow0' });
  expect(findTopics({ state: 'losing', lost: 12, problem })).toEqual(['warn lost']);
  expect(findTopics({ state: 'losing', lost: null, problem })).toEqual(['unknown unproven', 'ok counts']);
});

test('a meter of a serial board is not checked for pull and edge', () => {
  expect(findTopics({ pin: null, level: null, lost: null, configuredMeter: null })).toEqual(['ok counts']);
});

test('the header table gives the pin of a line and its other use', () => {
  const header = findHeader('Raspberry Pi 4 Model B Rev 1.4')!;
  expect([findHeaderPin(17, header), headerFinding(17, header)]).toEqual([11, null]);
  expect(headerFinding(4, header)).toMatchObject({ topic: 'other_use' });
  expect(headerFinding(40, header)).toMatchObject({ topic: 'no_header_pin' });
  expect(findHeader('unknown board')).toBeNull();
});

test.each([
  ['bad checksum', 'checksum'],
  ['data line stuck low', 'stuck_low'],
  ['not converted yet (85.000 °C is the power-on value)', 'power_on'],
  ['not on the bus', 'absent'],
  ['no answer in time', 'unread'],
])('a sensor with “%s” has its own topic', (reason, topic) => {
  const sensor = { name: '28-01', tempC: 4, reason, isStale: false };
  expect(sensorFinding(sensor)).toMatchObject({ topic, status: 'warn', advice: expect.any(String) });
  expect(sensorFinding({ ...sensor, isStale: true })).toMatchObject({ topic, status: 'fail' });
});

test('a sensor shows its temperature, one not read yet is reported as silent', () => {
  const sensor = { name: '28-01', tempC: 4.25, reason: null, isStale: false };
  expect(sensorFinding(sensor)).toEqual({ topic: 'temperature', status: 'ok', text: '4.3 °C.' });
  expect(sensorFinding({ ...sensor, tempC: null })).toMatchObject({ topic: 'silent', status: 'unknown' });
});
