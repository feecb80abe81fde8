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

test('the table of a Pi 5 tells line, holder and count of all processors', () => {
  expect(parseInterrupts(pi5).filter((row) => row.chip === 'pinctrl-rp1')).toEqual([
    { irq: '44', count: 4, chip: 'pinctrl-rp1', hwirq: 17, consumer: 'tapster-812' },
    { irq: '45', count: 120, chip: 'pinctrl-rp1', hwirq: 27, consumer: 'tapster-812' },
    { irq: '46', count: 7, chip: 'pinctrl-rp1', hwirq: 22, consumer: '' },
  ]);
});

test('a row without the word Edge, of a machine with one processor, is read too', () => {
  const text = '           CPU0\n 24:         12   irq_sim   3   tapster-7\n';
  expect(parseInterrupts(text)).toEqual([
    { irq: '24', count: 12, chip: 'irq_sim', hwirq: 3, consumer: 'tapster-7' },
  ]);
});

test('a table that is none gives no rows', () => {
  expect(parseInterrupts('')).toEqual([]);
  expect(parseInterrupts('  3: nonsense\n')).toEqual([]);
});

const rowOf = (irq: string, count: number, hwirq: number, consumer: string, chip = 'irq_sim') => ({
  irq,
  count,
  chip,
  hwirq,
  consumer,
});

test('counts start at our request, though the row remembers its last holder', () => {
  let rows = [rowOf('24', 1000, 3, '')];
  const tally = new InterruptCounters(() => rows);
  rows = [rowOf('24', 1012, 3, 'tapster-7'), rowOf('25', 5, 4, 'tapster-7')];
  expect(tally.counts('tapster-7', [3, 4])).toEqual([12, 5]);
});

test('a missing row and a row that might be another chip’s prove nothing', () => {
  let rows = [rowOf('24', 0, 3, '')];
  const tally = new InterruptCounters(() => rows);
  rows = [rowOf('24', 2, 3, 'gpiolib'), rowOf('30', 9, 3, 'gpiolib', 'other')];
  expect(tally.counts('gpiolib', [3, 5])).toEqual([null, null]);
});

test('a count that wrapped still gives the right difference', () => {
  let rows = [rowOf('24', 0xffff_fffe, 3, '')];
  const tally = new InterruptCounters(() => rows);
  rows = [rowOf('24', 3, 3, 'tapster-7')];
  expect(tally.counts('tapster-7', [3])).toEqual([5]);
});

test('without a table nothing is proven and nothing fails', () => {
  expect(new InterruptCounters(() => null).counts('tapster-7', [3])).toEqual([null]);
});
