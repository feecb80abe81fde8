import { expect, test } from 'vitest';
import { InterruptCounters, parseInterrupts } from '../../../src/devices/gpio/interrupts.ts';

const pi5 = `           CPU0       CPU1       CPU2       CPU3
 13:      90210      80112      79001      81234    GICv2  30 Level     arch_timer
 44:          3          0          0          1  pinctrl-rp1  17 Edge      tapster-812
 45:        120          0          0          0  pinctrl-rp1  27 Edge      tapster-812
 46:          7          0          0          0  pinctrl-rp1  22 Edge
IPI0:       100        200        300        400       Rescheduling interrupts
Err:          0
`;

test('rows of a Pi 5 give line, owner and the count of all processors', () => {
  expect(parseInterrupts(pi5).filter((row) => row.chip === 'pinctrl-rp1')).toEqual([
    { irq: '44', count: 4, chip: 'pinctrl-rp1', hwirq: 17, consumer: 'tapster-812' },
    { irq: '45', count: 120, chip: 'pinctrl-rp1', hwirq: 27, consumer: 'tapster-812' },
    { irq: '46', count: 7, chip: 'pinctrl-rp1', hwirq: 22, consumer: '' },
  ]);
});

test('a row without the word Edge is parsed on a machine with one processor', () => {
  const text = '           CPU0\n 24:         12   irq_sim   3   tapster-7\n';
  expect(parseInterrupts(text)).toEqual([
    { irq: '24', count: 12, chip: 'irq_sim', hwirq: 3, consumer: 'tapster-7' },
  ]);
});

test('invalid text gives no rows', () => {
  expect(parseInterrupts('')).toEqual([]);
  expect(parseInterrupts('  3: nonsense\n')).toEqual([]);
});

const createRow = (irq: string, count: number, hwirq: number, consumer: string, chip = 'irq_sim') => ({
  irq,
  count,
  chip,
  hwirq,
  consumer,
});

test('counts start at the line request, although the row keeps the count of its last owner', () => {
  let rows = [createRow('24', 1000, 3, '')];
  const counters = new InterruptCounters(() => rows);
  rows = [createRow('24', 1012, 3, 'tapster-7'), createRow('25', 5, 4, 'tapster-7')];
  expect(counters.counts('tapster-7', [3, 4])).toEqual([12, 5]);
});

test('a missing row and an ambiguous row give null', () => {
  let rows = [createRow('24', 0, 3, '')];
  const counters = new InterruptCounters(() => rows);
  rows = [createRow('24', 2, 3, 'gpiolib'), createRow('30', 9, 3, 'gpiolib', 'other')];
  expect(counters.counts('gpiolib', [3, 5])).toEqual([null, null]);
});

test('a count that wraps gives the right difference', () => {
  let rows = [createRow('24', 0xffff_fffe, 3, '')];
  const counters = new InterruptCounters(() => rows);
  rows = [createRow('24', 3, 3, 'tapster-7')];
  expect(counters.counts('tapster-7', [3])).toEqual([5]);
});

test('without a table every count is null', () => {
  expect(new InterruptCounters(() => null).counts('tapster-7', [3])).toEqual([null]);
});
