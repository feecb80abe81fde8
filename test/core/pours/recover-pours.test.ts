import { expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import type { JournaledPour, MeterPour } from '../../../src/core/pours/meter-pour.ts';
import type { EndedPour } from '../../../src/core/pours/pour.ts';
import { recoverPours } from '../../../src/core/pours/recover-pours.ts';

const tenPm = Date.UTC(2026, 4, 2, 22);
const at = (monoMs: number, bootId = 'boot-a', synced = true): Moment => ({
  monoMs,
  wallMs: tenPm + monoMs,
  synced,
  bootId,
});

/** 40 ticks from second 60 to second 64. */
const openPour: MeterPour = {
  pourId: 'p1',
  meter: 'pi.flow0',
  bootId: 'boot-a',
  ticks: 40,
  minTicks: 3,
  startedMonoMs: 60_000,
  lastTickMonoMs: 64_000,
  series: '0:40',
  rejectedEdges: 1,
  ticksLost: 0,
};

const refused: EndedPour = {
  pourId: 'p0',
  meter: 'pi.flow0',
  bootId: 'boot-a',
  ticks: 50,
  startedMonoMs: 20_000,
  durationMs: 5_000,
  series: '0:50',
  reachedMaxDuration: false,
  rejectedEdges: 0,
  ticksLost: 0,
  doubts: [],
  recovered: false,
};

function recover(journaled: readonly JournaledPour[], now: Moment) {
  return recoverPours({ journaled, now, meters: [{ name: 'pi.flow0', idleMs: 5_000 }], noiseShare: 0.2 });
}

const open = (pour: MeterPour, moment = at(64_500)): JournaledPour => ({ kind: 'open', pour, at: moment });

test('after a restart within the idle time the pour continues, with completeness unproven', () => {
  expect(recover([open(openPour)], at(69_000))).toEqual({
    resumed: [{ ...openPour, ticksLost: null }],
    ended: [],
    drips: [],
  });
});

test('after a later restart the pour is finished at its last known tick', () => {
  expect(recover([open(openPour)], at(69_001))).toEqual({
    resumed: [],
    ended: [
      {
        pourId: 'p1',
        meter: 'pi.flow0',
        bootId: 'boot-a',
        ticks: 40,
        startedMonoMs: 60_000,
        durationMs: 4_000,
        series: '0:40',
        reachedMaxDuration: false,
        rejectedEdges: 1,
        ticksLost: null,
        doubts: [],
        recovered: true,
      },
    ],
    drips: [],
  });
});

test('after a power cut the pour keeps its end by wall time, half a second before its checkpoint', () => {
  const { resumed, ended } = recover([open(openPour)], at(66_000, 'boot-b'));
  expect(resumed).toEqual([]);
  expect(ended).toMatchObject([
    { recovered: true, durationMs: 4_000, endedWallMs: tenPm + 64_000, endedWallSynced: true },
  ]);
});

test('a wall time from a clock that was not set is marked as such', () => {
  const { ended } = recover([open(openPour, at(64_500, 'boot-a', false))], at(10, 'boot-b'));
  expect(ended).toMatchObject([{ endedWallMs: tenPm + 64_000, endedWallSynced: false }]);
});

test('a pour that had ended is returned unchanged, in this boot and in the next', () => {
  const waiting: JournaledPour = { kind: 'ended', pour: refused, at: at(30_000) };
  expect(recover([waiting], at(90_000)).ended).toEqual([refused]);
  expect(recover([waiting], at(90, 'boot-b')).ended).toEqual([
    { ...refused, endedWallMs: tenPm + 25_000, endedWallSynced: true },
  ]);
});

test('its wall time is not computed again after a second power cut', () => {
  const carried: JournaledPour = {
    kind: 'ended',
    pour: { ...refused, recovered: true, endedWallMs: tenPm, endedWallSynced: false },
    at: at(700, 'boot-b'),
  };
  expect(recover([carried], at(90, 'boot-c')).ended).toEqual([carried.pour]);
});

test('a pour of a removed meter, or with stamps in the future, does not continue', () => {
  expect(recover([open({ ...openPour, meter: 'pi.flow9' })], at(65_000)).resumed).toEqual([]);
  expect(recover([open(openPour)], at(63_999)).resumed).toEqual([]);
});

test('only one pour continues per meter, the other is finished', () => {
  const { resumed, ended } = recover([open(openPour), open({ ...openPour, pourId: 'p2' })], at(65_000));
  expect(resumed.map(({ pourId }) => pourId)).toEqual(['p1']);
  expect(ended.map(({ pourId }) => pourId)).toEqual(['p2']);
});

test('two ticks in the journal are a drip', () => {
  expect(recover([open({ ...openPour, ticks: 2 })], at(66_000, 'boot-b'))).toEqual({
    resumed: [],
    ended: [],
    drips: [{ pourId: 'p1', meter: 'pi.flow0', ticks: 2 }],
  });
});

test('a noisy pour keeps its doubt when it is finished', () => {
  const { ended } = recover([open({ ...openPour, rejectedEdges: 60 })], at(66_000, 'boot-b'));
  expect(ended[0]?.doubts).toEqual(['electrical_noise']);
});

test('a trickle that a power cut ended is a drip, as it would have been', () => {
  const series = Array.from({ length: 40 }, (_, i) => `${i * 200}:1`).join(' ');
  const trickle = { ...openPour, series, lastTickMonoMs: 67_800, minTicksPerS: 10.8 };
  const later = at(100_000, 'boot-b');
  expect(recover([open(trickle)], later)).toMatchObject({ ended: [], drips: [{ pourId: 'p1', ticks: 40 }] });
  expect(recover([open({ ...trickle, minTicksPerS: 2 })], later)).toMatchObject({ drips: [] });
});
