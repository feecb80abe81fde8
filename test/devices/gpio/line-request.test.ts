import { expect, test } from 'vitest';
import { requestMeters, requestRelays } from '../../../src/devices/gpio/line-request.ts';
import type { MeterLine } from '../../../src/devices/gpio/pin-plan.ts';
import { FakeKernel } from './fake-kernel.ts';

const hostInfo = { board: 'Raspberry Pi 4 Model B', kernel: '6.6.20' };

function context(kernel: FakeKernel, label = 'paper') {
  const chip = { path: '/dev/gpiochip0', name: 'gpiochip0', label, lines: kernel.lines, compatible: [] };
  return { kernel, chip, hostInfo, consumer: 'tapster-1' };
}

const meter = (pin: number, kind: Partial<MeterLine> = {}): MeterLine => ({
  name: `pi.flow${pin}`,
  pin,
  bias: 'pull-up',
  edge: 'falling',
  ...kind,
});

const offsets = (kernel: FakeKernel) =>
  kernel.requests.map((request) => request.lines.map((line) => line.offset));

test('all meters are requested together with the largest queue', () => {
  const kernel = new FakeKernel(54);
  const granted = requestMeters(context(kernel), [meter(17), meter(27)], { avoid: [] });
  expect(granted).toMatchObject({ spare: null, faults: [] });
  expect(offsets(kernel)).toEqual([[17, 27]]);
  expect(kernel.requests[0]).toMatchObject({ eventBufferSize: 1024, consumer: 'tapster-1' });
});

test('a single meter is requested with a spare line without edges, so that its interrupts are numbered', () => {
  const kernel = new FakeKernel(8);
  kernel.owners.set(7, 'led');
  const granted = requestMeters(context(kernel), [meter(3)], { avoid: [6] });
  expect(granted.spare).toBe(5);
  expect(kernel.requests[0]!.lines).toEqual([
    { offset: 3, flags: 0x124n },
    { offset: 5, flags: 4n },
  ]);
  expect(granted.lines.map((line) => line.pin)).toEqual([3]);
});

test('on a Pi the spare line is never one of a console or bus', () => {
  const kernel = new FakeKernel(54);
  for (const pin of [27, 26, 25]) kernel.owners.set(pin, 'someone');
  const granted = requestMeters(context(kernel, 'pinctrl-bcm2711'), [meter(24)], { avoid: [23] });
  expect(granted.spare).toBe(22);
});

test('a single meter on a chip without a free line is requested alone', () => {
  const kernel = new FakeKernel(1);
  const granted = requestMeters(context(kernel), [meter(0)], { avoid: [] });
  expect([granted.spare, granted.fd >= 0]).toEqual([null, true]);
});

test('a line in use is a fault that names its owner, and the others are granted', () => {
  const kernel = new FakeKernel(54);
  kernel.owners.set(17, 'gpio-fan');
  const granted = requestMeters(context(kernel), [meter(17), meter(22), meter(27)], { avoid: [] });
  expect(granted.lines.map((line) => line.pin)).toEqual([22, 27]);
  expect(granted.faults).toHaveLength(1);
  expect(granted.faults[0]!.name).toBe('pi.flow17');
  for (const part of [
    'GPIO 17',
    '/dev/gpiochip0',
    'paper',
    '“gpio-fan”',
    'Raspberry Pi 4 Model B',
    '6.6.20',
  ]) {
    expect(granted.faults[0]!.problem.message).toContain(part);
  }
});

test('only the pin that the chip does not have is rejected', () => {
  const kernel = new FakeKernel(28);
  const granted = requestMeters(context(kernel), [meter(40), meter(5), meter(6)], { avoid: [] });
  expect(offsets(kernel)).toEqual([[5, 6]]);
  expect(granted.faults[0]!.problem.message).toContain('0 to 27');
});

test('a line that looks free but is refused is found by trying each, and no descriptor is left open', () => {
  const kernel = new FakeKernel(54);
  kernel.refusals.set(6, 'EINVAL');
  const granted = requestMeters(context(kernel), [meter(5), meter(6), meter(7)], { avoid: [] });
  expect(granted.lines.map((line) => line.pin)).toEqual([5, 7]);
  expect(granted.faults.map((fault) => fault.name)).toEqual(['pi.flow6']);
  expect([...kernel.open]).toEqual([granted.fd]);
});

test('when no line can be granted, the descriptor is −1 and every meter has a fault', () => {
  const kernel = new FakeKernel(54);
  kernel.refusals.set(5, 'EPERM');
  kernel.owners.set(6, '');
  const granted = requestMeters(context(kernel), [meter(5), meter(6)], { avoid: [] });
  expect([granted.fd, granted.lines, granted.faults.length]).toEqual([-1, [], 2]);
  expect(granted.faults.find((fault) => fault.name === 'pi.flow6')!.problem.message).toContain(
    'driver of the kernel',
  );
  expect(granted.faults.find((fault) => fault.name === 'pi.flow5')!.problem.message).toContain('group');
});

test('relays are requested separately, so that one in use does not affect the others', () => {
  const kernel = new FakeKernel(54);
  kernel.owners.set(20, 'spi0 CS1');
  const { granted, faults } = requestRelays(context(kernel), [
    { name: 'pi.relay0', pin: 20, activeLow: false },
    { name: 'pi.relay1', pin: 21, activeLow: true },
  ]);
  expect(granted.map(({ relay }) => relay.name)).toEqual(['pi.relay1']);
  expect(kernel.requests.map((request) => request.lines)).toEqual([[{ offset: 21, flags: 266n }]]);
  expect(faults[0]!.problem.message).toContain('“spi0 CS1”');
});
