import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Observation } from '../../../src/core/updates/trial.ts';
import {
  emptyState,
  type UpdateRules,
  type UpdaterState,
  updateRules,
} from '../../../src/core/updates/update-state.ts';
import {
  beginNext,
  keptReleases,
  order,
  resumeUpdate,
  stepUpdate,
  type UpdateEvent,
} from '../../../src/core/updates/update-steps.ts';

const http = { host: '127.0.0.1', port: 8080 };
const at = (ms: number, bootId = 'boot-1') => ({ uptime: { bootId, ms }, wallMs: 1_800_000_000_000 });
const well = (version: string, changes: Partial<Observation> = {}): UpdateEvent => ({
  type: 'observed',
  observation: { health: 'ok', version, pours: 0, restarts: 0, ...changes },
});

/** The state after events, one each second from `startMs` on. */
function run(state: UpdaterState, events: readonly UpdateEvent[], startMs = 0, rules = updateRules) {
  return events.reduce(
    (before, event, index) => stepUpdate(before, event, rules, at(startMs + index * 1_000)),
    state,
  );
}

const begun = (kind: 'update' | 'rollback' = 'update') =>
  beginNext(order(emptyState, { kind, version: '2.0.0' }, at(0)), '1.0.0', at(0));

/** 2.0.0 was just switched to, at 0 ms. */
const onTrial = (wasHealthy = true) =>
  run(begun(), [
    { type: 'checked', http },
    { type: 'backed_up', backup: '/b.tar' },
    well('1.0.0', wasHealthy ? {} : { health: 'trouble' }),
    { type: 'switched', restarts: 0 },
  ]);

const seconds = (count: number, event: UpdateEvent) => Array<UpdateEvent>(count).fill(event);

test('an update that answers well for ten minutes is done, and the version before is kept', () => {
  const state = run(onTrial(), seconds(610, well('2.0.0')), 4_000);
  expect(state).toMatchObject({
    update: null,
    previous: '1.0.0',
    last: { outcome: 'done', backup: '/b.tar' },
  });
  expect(keptReleases(state, '2.0.0')).toEqual(new Set(['2.0.0', '1.0.0']));
});

test('a program that refuses settings or database is never switched to', () => {
  const state = run(begun(), [{ type: 'refused', reason: 'check_failed', detail: 'a pin is used twice' }]);
  expect(state).toMatchObject({
    update: null,
    last: { outcome: 'refused', reason: 'check_failed', detail: 'a pin is used twice' },
  });
});

test('the switch waits for idle taps, at most 15 minutes', () => {
  const waiting = run(begun(), [
    { type: 'checked', http },
    { type: 'backed_up', backup: null },
  ]);
  const pouring = well('1.0.0', { pours: 1 });
  expect(run(waiting, seconds(300, pouring), 2_000).update?.phase).toBe('waiting');
  expect(run(waiting, [pouring, well('1.0.0')], 2_000).update?.phase).toBe('switching');
  expect(run(waiting, seconds(902, pouring), 2_000).update?.phase).toBe('switching');
});

test.each<[string, UpdateEvent, string]>([
  ['does not answer', well('2.0.0', { health: 'none', version: null }), 'no_answer'],
  ['answers as another version', well('1.0.0'), 'wrong_version'],
  ['reports trouble', well('2.0.0', { health: 'trouble' }), 'unhealthy'],
])('a new version that %s for 180 s is replaced by the one before', (_name, event, reason) => {
  expect(run(onTrial(), seconds(170, event), 4_000).update?.phase).toBe('trial');
  const back = run(onTrial(), seconds(190, event), 4_000);
  expect(back.update).toMatchObject({ phase: 'switching_back', reason });
  const done = run(back, [{ type: 'switched', restarts: 0 }, well('1.0.0')], 200_000);
  expect(done).toMatchObject({ update: null, previous: null, last: { outcome: 'reverted', reason } });
});

test('answering well for 59 s at a time is not enough', () => {
  const flapping = [...seconds(59, well('2.0.0')), well('2.0.0', { health: 'none', version: null })];
  const state = run(onTrial(), [...flapping, ...flapping, ...flapping, ...flapping], 4_000);
  expect(state.update).toMatchObject({ phase: 'switching_back', reason: 'no_answer' });
});

test('trouble from before the update is no fault of the new version', () => {
  const state = run(onTrial(false), seconds(610, well('2.0.0', { health: 'trouble' })), 4_000);
  expect(state.last?.outcome).toBe('done');
});

test('one restart in ten minutes is permitted, a second one is not', () => {
  const once = run(onTrial(), seconds(300, well('2.0.0', { restarts: 1 })), 4_000);
  expect(once.update?.phase).toBe('trial');
  const twice = run(once, [well('2.0.0', { restarts: 2 })], 310_000);
  expect(twice.update).toMatchObject({ phase: 'switching_back', reason: 'restarts' });
});

test('a restart by a person resets the counter and is not counted', () => {
  const state = run(onTrial(), [well('2.0.0', { restarts: 1 }), well('2.0.0', { restarts: 0 })], 4_000);
  expect(state.update).toMatchObject({ phase: 'trial', trial: { restartsMs: [4_000] } });
});

test('a confirmed version that hangs later is replaced as well', () => {
  const confirmed = run(onTrial(), seconds(70, well('2.0.0')), 4_000);
  const hangs = seconds(190, well('2.0.0', { health: 'none', version: null }));
  expect(run(confirmed, hangs, 80_000).update).toMatchObject({
    phase: 'switching_back',
    reason: 'no_answer',
  });
});

test('a power cut starts the trial again, the fourth time the version before comes back', () => {
  let state = onTrial();
  for (const boot of ['boot-2', 'boot-3']) {
    state = resumeUpdate(state, updateRules, at(9_000, boot));
    expect(state.update).toMatchObject({ phase: 'trial', trial: { startedMs: 9_000, bootId: boot } });
  }
  state = resumeUpdate(state, updateRules, at(9_000, 'boot-4'));
  expect(state.update).toMatchObject({ phase: 'switching_back', reason: 'power_cuts' });
});

test('a restarted updater goes on with a confirmed trial of the same boot', () => {
  const confirmed = run(onTrial(), seconds(100, well('2.0.0')), 4_000);
  const resumed = resumeUpdate(confirmed, updateRules, at(300_000));
  expect(resumed.update?.trial).toMatchObject({ tries: 1, startedMs: 3_000, isConfirmed: true });
});

test('a way back asked for during the trial is taken at once', () => {
  const state = order(onTrial(), { kind: 'rollback', version: '1.0.0' }, at(5_000));
  expect(state.update).toMatchObject({ phase: 'switching_back', reason: 'asked' });
});

test('a newer package replaces an update that was not switched to, and waits for one that was', () => {
  const next = { kind: 'update', version: '3.0.0' } as const;
  const early = beginNext(order(begun(), next, at(1)), '1.0.0', at(1));
  expect(early).toMatchObject({ update: { to: '3.0.0' }, last: { to: '2.0.0', outcome: 'cancelled' } });
  const late = order(onTrial(), next, at(5_000));
  expect(late).toMatchObject({ update: { to: '2.0.0', phase: 'trial' }, next });
  expect(keptReleases(late, '2.0.0')).toEqual(new Set(['1.0.0', '2.0.0', '3.0.0']));
});

test('an order for the version that runs does nothing', () => {
  const state = order(emptyState, { kind: 'update', version: '1.0.0' }, at(0));
  expect(beginNext(state, '1.0.0', at(0))).toEqual(emptyState);
});

/** Short times, so that random sequences reach every phase. */
const shortRules: UpdateRules = {
  ...updateRules,
  okForMs: 2_000,
  withinMs: 5_000,
  trialMs: 8_000,
  maxWaitMs: 3_000,
};

/**
 * A machine with two releases of which the older always runs well. `behaviour` is how the newer one runs; each step is one
 * second or a power cut. The link is switched as the updater would.
 */
function simulate(behaviour: (ms: number) => Partial<Observation>, cuts: readonly boolean[]) {
  let state = order(emptyState, { kind: 'update', version: '2.0.0' }, at(0));
  let link = '1.0.0';
  let boot = 1;
  let startedMs = 0;
  const reasons: (string | null)[] = [];
  for (let ms = 0; ms < 120_000; ms += 1_000) {
    const now = at(ms, `boot-${boot}`);
    if (cuts[ms / 1_000] === true) {
      boot += 1;
      startedMs = ms;
      state = resumeUpdate(JSON.parse(JSON.stringify(state)), shortRules, at(ms, `boot-${boot}`));
    }
    state = beginNext(state, link, now);
    const { update } = state;
    if (update === null) break;
    const seen = link === '1.0.0' ? {} : behaviour(ms - startedMs);
    const event: UpdateEvent =
      update.phase === 'checking'
        ? { type: 'checked', http }
        : update.phase === 'backing_up'
          ? { type: 'backed_up', backup: null }
          : update.phase.startsWith('switching')
            ? { type: 'switched', restarts: 0 }
            : well(link, seen);
    if (event.type === 'switched') {
      link = update.phase === 'switching' ? update.to : update.from;
      startedMs = ms;
    }
    state = stepUpdate(state, event, shortRules, at(ms, `boot-${boot}`));
    expect(keptReleases(state, link)).toContain(link);
    if (state.update !== null) expect(keptReleases(state, link)).toContain(state.update.from);
    reasons.push(state.update?.reason ?? null);
  }
  return { state, link };
}

const cutsArbitrary = fc.array(fc.boolean(), { maxLength: 60 });

test('whatever cuts happen, an update ends with a version that runs', () => {
  fc.assert(
    fc.property(
      cutsArbitrary,
      fc.array(fc.constantFrom('ok', 'trouble', 'none'), { minLength: 1 }),
      (cuts, healths) => {
        const { state, link } = simulate((ms) => ({ health: healths[(ms / 1_000) % healths.length]! }), cuts);
        expect(state.update).toBeNull();
        expect(link).toBe(state.last?.outcome === 'done' ? '2.0.0' : '1.0.0');
      },
    ),
  );
});

test('a version that runs well is only left for too many power cuts during its trial', () => {
  fc.assert(
    fc.property(cutsArbitrary, (cuts) => {
      const { state } = simulate(() => ({}), cuts);
      if (state.last?.outcome !== 'done')
        expect(state.last).toMatchObject({ outcome: 'reverted', reason: 'power_cuts' });
    }),
  );
});

test('a version that never answers is always left', () => {
  fc.assert(
    fc.property(cutsArbitrary, (cuts) => {
      const { state, link } = simulate(() => ({ health: 'none', version: null }), cuts);
      expect(state.last?.outcome).toBe('reverted');
      expect(link).toBe('1.0.0');
    }),
  );
});

/** The result of a trial that goes badly, with the version before running again. */
const failed = (events: readonly UpdateEvent[]) => {
  const left = run(onTrial(), events, 4_000);
  expect(left.update?.phase).toBe('switching_back');
  const back = run(left, [{ type: 'switched', restarts: 0 }, well('1.0.0')], 300_000);
  return back.last;
};

test('the result of a failed trial says what was seen, not only that it failed', () => {
  const broken = well('2.0.0', { health: 'trouble', detail: 'counting: Pin 17 is taken.' });
  expect(failed(seconds(185, broken))).toMatchObject({
    outcome: 'reverted',
    reason: 'unhealthy',
    detail: 'counting: Pin 17 is taken.',
  });
  const silent = well('2.0.0', { health: 'none', version: null });
  expect(failed(seconds(185, silent))).toMatchObject({
    reason: 'no_answer',
    detail: 'Why: journalctl -u tapster',
  });
  const old = well('1.0.0');
  expect(failed(seconds(185, old))).toMatchObject({
    reason: 'wrong_version',
    detail: 'Version 1.0.0 answered instead of 2.0.0.',
  });
  expect(failed([well('2.0.0', { restarts: 1 }), well('2.0.0', { restarts: 2 })])).toMatchObject({
    reason: 'restarts',
    detail: 'It restarted 2 times within 1 min. Why: journalctl -u tapster',
  });
});
