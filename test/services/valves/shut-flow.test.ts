import { beforeEach, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { ShutFlow, type ValveTap } from '../../../src/services/valves/shut-flow.ts';

const left: ValveTap = { name: 'Left', meter: 'pi.flow0', ticksPerMl: 5, toggle: 'pi.relay0' };

let rig: ReturnType<typeof createRig>;
beforeEach(() => {
  rig = createRig();
});

/** A tap with a valve, 5 ticks/mL and a limit of 20 mL. Heartbeats of 50 ms: pulses first, then the valve's state. */
function createRig() {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let nowMonoMs = 0;
  let taps: readonly ValveTap[] = [left];
  let isOpen: boolean | null = false;
  const problems: (string | null)[] = [];
  const shutFlow = new ShutFlow({
    valveTaps: () => taps,
    limitMl: 20,
    nowMonoMs: () => nowMonoMs,
    reportProblem: (current) => problems.push(joinMessages(current)),
  });
  shutFlow.subscribe(bus);
  const ticks = new Map<string, number>();
  return {
    bus,
    problems,
    /** Lets time pass; `ms` is a multiple of 50. */
    pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 50) {
        nowMonoMs += 50;
        shutFlow.poll(() => isOpen);
      }
    },
    stall(ms: number) {
      nowMonoMs += ms;
    },
    setValve(state: boolean | null) {
      isOpen = state;
    },
    setTaps(all: readonly ValveTap[]) {
      taps = all;
      bus.publish({ type: 'database.changed' });
    },
    /** Adds flow to a pour. */
    pour(pourId: string, ml: number, meter = left.meter) {
      if (!ticks.has(pourId)) bus.publish({ type: 'pour.started', meter, pourId });
      ticks.set(pourId, (ticks.get(pourId) ?? 0) + ml * 5);
      bus.publish({ type: 'pour.flowing', meter, pourId, ticks: ticks.get(pourId)! });
    },
    isMarked: (pourId: string, meter = left.meter) => shutFlow.isFlowWhileShut({ meter, pourId }),
  };
}

test('20 mL through a shut valve mark the pour and are a problem that names tap and relay', () => {
  rig.pass(5_000);
  rig.pour('a', 19);
  expect(rig.isMarked('a')).toBe(false);
  expect(rig.problems).toEqual([]);
  rig.pour('a', 1);
  expect(rig.isMarked('a')).toBe(true);
  expect(rig.problems).toEqual([
    expect.stringMatching(
      /tap “Left” although its valve is shut: the valve is stuck or bypassed.*pi\.relay0/,
    ),
  ]);
});

test('flow through an open valve, and its run-on of two seconds, are normal', () => {
  rig.setValve(true);
  rig.pass(5_000);
  rig.pour('a', 300);
  rig.setValve(false);
  rig.pass(1_950);
  rig.pour('a', 60);
  expect(rig.isMarked('a')).toBe(false);
  expect(rig.problems).toEqual([]);
});

test('flow after the run-on counts from then on only', () => {
  rig.setValve(true);
  rig.pass(1_000);
  rig.pour('a', 300);
  rig.setValve(false);
  rig.pass(2_100);
  rig.pour('a', 15);
  expect(rig.isMarked('a')).toBe(false);
  rig.pour('a', 5);
  expect(rig.isMarked('a')).toBe(true);
});

test('beer that flowed while the main loop stalled belongs to the valve’s state before the stall', () => {
  rig.setValve(true);
  rig.pass(1_000);
  rig.pour('a', 50);
  // The GPIO thread shuts the valve after two seconds; the ticks until then arrive after the stall.
  rig.setValve(false);
  rig.stall(10_000);
  rig.pour('a', 120);
  rig.pass(50);
  expect(rig.isMarked('a')).toBe(false);
});

test('small amounts of several pours do not add up', () => {
  rig.pass(5_000);
  for (const pourId of ['a', 'b', 'c']) rig.pour(pourId, 15);
  expect(rig.problems).toEqual([]);
});

test('the next pour through the open valve is not marked, and the problem ends ten minutes after the last leak', () => {
  rig.pass(5_000);
  rig.pour('a', 40);
  rig.setValve(true);
  rig.pass(60_000);
  rig.pour('b', 300);
  expect(rig.isMarked('b')).toBe(false);
  rig.pass(530_000);
  expect(rig.problems).toHaveLength(1);
  rig.pass(10_000);
  expect(rig.problems).toEqual([expect.any(String), null]);
});

test('a valve whose state is not known raises nothing', () => {
  rig.setValve(null);
  rig.pass(5_000);
  rig.pour('a', 300);
  expect(rig.problems).toEqual([]);
});

test('a tap without a valve raises nothing until one is assigned to it', () => {
  rig.setTaps([]);
  rig.pass(5_000);
  rig.pour('a', 300);
  expect(rig.problems).toEqual([]);
  rig.setTaps([left]);
  rig.pass(5_000);
  rig.pour('b', 30);
  expect(rig.isMarked('b')).toBe(true);
});

test('the ticks of a pour resumed after a restart are not counted again', () => {
  rig.pass(5_000);
  rig.bus.publish({ type: 'pour.flowing', meter: left.meter, pourId: 'resumed', ticks: 2_000 });
  expect(rig.problems).toEqual([]);
  rig.bus.publish({ type: 'pour.flowing', meter: left.meter, pourId: 'resumed', ticks: 2_100 });
  expect(rig.isMarked('resumed')).toBe(true);
});
