import { expect, test } from 'vitest';
import { createSimulatedPins } from '../../../../src/devices/simulated/simulated-pins.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { CleaningOpenings } from '../../../../src/extensions/cleaning/daemon/cleaning-openings.ts';
import { createFeatureValves } from '../../../../src/services/valves/feature-valves.ts';
import { Valves } from '../../../../src/services/valves/valves.ts';
import { at } from '../../../engine/bar.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

const relay = 'pi.relay0';
const minute = 60_000;

/** A cleaning at the left tap, whose valve it opened. */
function openCleaning() {
  const bar = openCleaningBar();
  let passedMs = 0;
  const now = () => at(passedMs);
  const pins = createSimulatedPins({
    meters: [{ name: 'pi.flow0', pin: 17 }],
    toggles: [{ name: relay, pin: 24 }],
    nowMonoMs: () => now().monoMs,
  });
  const valves = new Valves({
    controller: 'pi',
    pins,
    boards: [],
    nowMonoMs: () => now().monoMs,
    isPinMeter: () => true,
    reportProblem: () => {},
  });
  const ended: string[] = [];
  const openings = new CleaningOpenings({
    valves: createFeatureValves(valves, 'cleaning'),
    engine: () => bar.engine,
    services: () => bar.engine,
    clock: { now } as ConstructorParameters<typeof CleaningOpenings>[0]['clock'],
    endPour: (meter) => void ended.push(meter),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const { id } = bar.engine.cleanings.start(
    { tapId: bar.left.id, kind: 'caustic' },
    { actor: systemActor, now: now() },
  );
  openings.open({ id, tapId: bar.left.id }, relay);
  return {
    ...bar,
    id,
    valves,
    openings,
    ended,
    now,
    isOpen: () => valves.isOpen(relay),
    /** Time passes; a daemon that hangs does nothing meanwhile. */
    pass(ms: number, { hangs = false } = {}) {
      for (const end = passedMs + ms; passedMs < end; ) {
        passedMs = Math.min(end, passedMs + 1_000);
        pins.drain();
        pins.heartbeat();
        if (hangs) continue;
        valves.poll();
        openings.everySecond();
      }
    },
  };
}

test('the valve stays open while the line is cleaned, longer than staff may open it at once, and shuts with it', () => {
  const { isOpen, pass, engine, id, now } = openCleaning();
  pass(15 * minute);
  expect(isOpen()).toBe(true);
  engine.cleanings.finish(id, {}, { actor: systemActor, now: now() });
  pass(1_000);
  expect(isOpen()).toBe(false);
});

test('the relay shuts by itself when nobody renews it', () => {
  const { isOpen, pass } = openCleaning();
  pass(31_000, { hangs: true });
  expect(isOpen()).toBe(false);
});

test('a valve that somebody shut is not opened again', () => {
  const { isOpen, pass, valves } = openCleaning();
  valves.shut(relay);
  pass(minute);
  expect(isOpen()).toBe(false);
});

test('a forgotten cleaning ends: its running pour first, then its valve', () => {
  const { isOpen, pass, engine, id, ended } = openCleaning();
  pass(119 * minute);
  expect([isOpen(), ended]).toEqual([true, []]);
  pass(2 * minute);
  expect([isOpen(), ended]).toEqual([false, ['pi.flow0']]);
  expect(engine.cleanings.get(id).endReason).toBe('expired');
});

test('the valve of a tap that is deleted shuts at once, and the cleaning waits for its entry', () => {
  const { isOpen, pass, engine, id, left, now } = openCleaning();
  pass(minute);
  engine.kegs.endOnTap(left.id, now());
  engine.taps.remove(left.id, { actor: systemActor, now: now() });
  expect(engine.cleanings.unfinished()).toMatchObject([{ id, endReason: 'expired' }]);
  pass(1_000);
  expect(isOpen()).toBe(false);
});

test('a relay that is moved to another tap shuts, until that line is cleaned', () => {
  const { isOpen, pass, engine, openings, left, right, now } = openCleaning();
  const context = { actor: systemActor, now: now() };
  const { id } = engine.taps.find(left.id)!.tap.toggle!;
  pass(minute);
  engine.taps.connectToggle(right.id, id, context, { moves: true });
  pass(1_000);
  expect(isOpen()).toBe(false);
  const other = engine.cleanings.start({ tapId: right.id, kind: 'caustic' }, { ...context, now: now() });
  openings.open(other, relay);
  pass(minute);
  expect(isOpen()).toBe(true);
});

test('a relay that is moved while both lines are cleaned stays open for its new tap', () => {
  const { isOpen, pass, engine, openings, left, right, now } = openCleaning();
  const context = { actor: systemActor, now: now() };
  engine.taps.connectToggle(right.id, engine.taps.find(left.id)!.tap.toggle!.id, context, { moves: true });
  openings.open(engine.cleanings.start({ tapId: right.id, kind: 'caustic' }, context), relay);
  pass(minute);
  expect(isOpen()).toBe(true);
});
