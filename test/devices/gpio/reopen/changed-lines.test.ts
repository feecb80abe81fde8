import { beforeEach, expect, test } from 'vitest';
import { textProblem } from '../../../../src/core/health/problems.ts';
import type { PinPlan } from '../../../../src/devices/gpio/pin-plan.ts';
import { createReopenedPins, type ReopenedPins } from '../../../../src/devices/gpio/reopen/reopened-pins.ts';
import { FakePins } from './fake-pins.ts';

const meter = (name: string, pin: number) =>
  ({ name: `pi.${name}`, pin, bias: 'pull-up', edge: 'falling' }) as const;
const relay = { name: 'pi.relay0', pin: 22, activeLow: false };
const plan = (...meters: PinPlan['meters']): PinPlan => ({ meters, relays: [relay], faults: [] });

const before = plan(meter('flow0', 17), meter('flow1', 27));
let first: FakePins;
/** The drivers that the next attempts return, and those that were opened. */
let next: FakePins[];
let opened: (readonly string[])[];
let pins: ReopenedPins;

beforeEach(() => {
  next = [];
  opened = [];
  first = new FakePins(['pi.flow0', 'pi.flow1', 'pi.relay0']);
  pins = createReopenedPins({
    plan: before,
    first: first.pins(),
    async open(names) {
      opened.push([...names]);
      return (next.shift() ?? new FakePins(names)).pins();
    },
    nowMonoMs: () => 10_000,
    onReopened: () => undefined,
    onFault: (fault) => {
      throw fault;
    },
  });
});

test('a line that is added is opened beside the others, which are not touched', async () => {
  await pins.change(plan(meter('flow0', 17), meter('flow1', 27), meter('flow2', 5)));
  expect(opened).toEqual([['pi.flow2']]);
  expect(first.isClosed).toBe(false);
  expect(pins.input.lines().map(({ name }) => name)).toEqual(['pi.flow0', 'pi.flow1', 'pi.flow2']);
});

test('when a line is taken away, those opened with it are opened again, and its last edges are delivered', async () => {
  first.pulse('pi.flow1', 1, 2, 3);
  expect([...pins.released(plan(meter('flow0', 17)))]).toEqual(['pi.flow0', 'pi.flow1', 'pi.relay0']);
  await pins.change(plan(meter('flow0', 17)));
  expect(first.isClosed).toBe(true);
  expect(opened).toEqual([['pi.flow0', 'pi.relay0']]);
  const { lines } = pins.input.drain();
  expect(lines.find((batch) => batch.meter === 'pi.flow1')?.stampsMonoMs).toEqual([1, 2, 3]);
  // Edges of the other line may have been missed meanwhile, so nothing is proven.
  expect(lines.find((batch) => batch.meter === 'pi.flow0')?.lost).toBeNull();
});

test('a line whose pin or edges change is opened again', async () => {
  await pins.change(plan(meter('flow0', 17), meter('flow1', 6)));
  expect(opened).toEqual([['pi.flow0', 'pi.flow1', 'pi.relay0']]);
  expect(pins.input.faults).toEqual([]);
});

test('a line that cannot be opened is a fault, and going back leaves no trace of it', async () => {
  next = [new FakePins(['pi.flow2'], { 'pi.flow2': 'GPIO 5 is taken.' })];
  await pins.change(plan(meter('flow0', 17), meter('flow1', 27), meter('flow2', 5)));
  expect(pins.input.faults).toEqual([{ name: 'pi.flow2', problem: textProblem('GPIO 5 is taken.') }]);
  await pins.change(before);
  expect(pins.input.faults).toEqual([]);
  expect(opened).toHaveLength(1);
  expect(first.isClosed).toBe(false);
});

test('a change to the same lines opens nothing', async () => {
  await pins.change(before);
  expect([opened, pins.released(before).size]).toEqual([[], 0]);
});

test('pigpio, which drives the whole chip, cannot change its lines', () => {
  expect(pins.canChange()).toBe(true);
  const whole = createReopenedPins({
    plan: before,
    first: first.pins('pigpio'),
    open: async (names) => new FakePins(names).pins(),
    nowMonoMs: () => 0,
    onReopened: () => undefined,
    onFault: () => undefined,
  });
  expect(whole.canChange()).toBe(false);
});
