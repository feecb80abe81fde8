import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type GrantRelease,
  LiveGrants,
  type NewGrant,
  type PresentedToken,
} from '../../../src/core/access/live-grants.ts';

const tap = (tapId: number) => ({
  tapId,
  meter: `pi.flow${tapId}`,
  toggle: `pi.relay${tapId}`,
  ticksPerMl: 5,
});
const grant = (id: string, taps: readonly number[], limits: Partial<NewGrant['limits']> = {}): NewGrant => ({
  id,
  username: 'anna',
  limits: { maxVolumeMl: 0, maxDurationMs: 300_000, maxIdleMs: 30_000, ...limits },
  taps: taps.map(tap),
});
const blue: PresentedToken = { controller: 'pi', device: 'core.rfid', value: 'b1' };
const red: PresentedToken = { ...blue, value: 'ed' };
const reasons = (releases: readonly GrantRelease[]) =>
  releases.map(({ grantId, reason, isOver, taps }) => [
    grantId,
    reason,
    isOver,
    taps.map(({ tapId }) => tapId),
  ]);

test('a grant ends when its volume is poured, over all its taps together', () => {
  const live = new LiveGrants();
  live.begin(grant('g', [1, 2], { maxVolumeMl: 300 }), blue, 0);
  live.addTicks('pi.flow1', 1_000, 1_000);
  expect(live.step(1_000)).toEqual([]);
  live.addTicks('pi.flow2', 500, 2_000);
  live.addTicks('pi.flow3', 5_000, 2_000);
  expect(live.step(2_050)).toMatchObject([{ reason: 'max_volume', isOver: true, volumeMl: 300 }]);
  expect(live.all()).toEqual([]);
});

test('a grant ends 30 s after the last tick, and after five minutes in any case', () => {
  const live = new LiveGrants();
  live.begin(grant('g', [1]), blue, 0);
  live.addTicks('pi.flow1', 5, 29_000);
  expect(live.step(58_999)).toEqual([]);
  expect(reasons(live.step(59_000))).toEqual([['g', 'max_idle', true, [1]]]);
  live.begin(grant('h', [1], { maxIdleMs: 0 }), blue, 0);
  expect(live.step(299_999)).toEqual([]);
  expect(reasons(live.step(300_000))).toEqual([['h', 'max_duration', true, [1]]]);
});

test('presenting the token again restarts the idle time only, not the volume limit', () => {
  const live = new LiveGrants();
  live.begin(grant('g', [1], { maxVolumeMl: 100 }), blue, 0);
  live.addTicks('pi.flow1', 250, 1_000);
  expect(live.renew(blue, 20_000)).toBe(true);
  expect(live.renew(red, 20_000)).toBe(false);
  expect(live.step(49_000)).toEqual([]);
  live.addTicks('pi.flow1', 250, 49_000);
  expect(reasons(live.step(49_000))).toEqual([['g', 'max_volume', true, [1]]]);
});

test('another token takes over the taps it opens, and no others', () => {
  const live = new LiveGrants();
  live.begin(grant('first', [1, 2]), blue, 0);
  expect(reasons(live.begin(grant('second', [2]), red, 10))).toEqual([['first', 'replaced', false, [2]]]);
  expect(live.all().map(({ id, taps }) => [id, taps.length])).toEqual([
    ['first', 1],
    ['second', 1],
  ]);
  expect(reasons(live.tokenRemoved(blue))).toEqual([['first', 'detach', true, [1]]]);
});

test('removing a token from one reader keeps the grant of another reader', () => {
  const live = new LiveGrants();
  live.begin(grant('left', [1]), { ...blue, reader: 'a' }, 0);
  live.begin(grant('right', [2]), { ...blue, reader: 'b' }, 0);
  expect(reasons(live.tokenRemoved({ ...blue, reader: 'a' }))).toEqual([['left', 'detach', true, [1]]]);
  expect(reasons(live.tokenRemoved(blue))).toEqual([]);
});

test('property: no tap has two grants, and each granted tap is released once', () => {
  const move = fc.oneof(
    fc.record({
      kind: fc.constant('begin' as const),
      taps: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
    }),
    fc.record({ kind: fc.constant('flow' as const), tap: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
    fc.record({ kind: fc.constant('shut' as const), tap: fc.integer({ min: 1, max: 4 }) }),
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const live = new LiveGrants();
      const opened: string[] = [];
      const released: string[] = [];
      const note = (releases: readonly GrantRelease[]) => {
        for (const { grantId, taps } of releases)
          for (const { tapId } of taps) released.push(`${grantId}/${tapId}`);
      };
      let now = 0;
      moves.forEach((one, i) => {
        if (one.kind === 'begin') {
          const newGrant = grant(`g${i}`, one.taps, { maxVolumeMl: 100 });
          opened.push(...one.taps.map((tapId) => `g${i}/${tapId}`));
          note(live.begin(newGrant, { ...blue, value: `${i}` }, now));
        } else if (one.kind === 'flow') live.addTicks(`pi.flow${one.tap}`, 300, now);
        else if (one.kind === 'shut') note(live.endToggle(`pi.relay${one.tap}`, 'command'));
        else now += one.ms;
        note(live.step(now));
        const held = live.all().flatMap(({ taps }) => taps.map(({ tapId }) => tapId));
        expect(new Set(held).size).toBe(held.length);
      });
      note(live.endAll('stopped'));
      expect(released.toSorted()).toEqual(opened.toSorted());
    }),
  );
});
