import { beforeEach, expect, test } from 'vitest';
import { hour, minute, pour } from '../../engine/bar.ts';
import { createAlarmBar } from './alarm-bar.ts';

const day = 24 * hour;

let bar: ReturnType<typeof createAlarmBar>;
let openedMs: number;
beforeEach(() => {
  bar = createAlarmBar();
  openedMs = bar.now().wallMs;
  for (let evening = 0; evening < 8; evening++) pourEvening(evening, 12);
});

/** Six pours at the left tap and six at the right one, with so many ticks in each tenth of a second. */
function pourEvening(evening: number, perBin: number, rightPerBin = 30): void {
  for (let i = 0; i < 6; i++) {
    for (const [meter, ticks] of [
      ['pi.flow0', perBin],
      ['pi.flow1', rightPerBin],
    ] as const) {
      bar.passTo(openedMs + evening * day + i * minute);
      const series = Array.from({ length: 40 }, (_, bin) => `${bin * 100}:${ticks}`).join(' ');
      const ended = pour(bar.now(), { meter, ticks: 40 * ticks, durationMs: 3_990, series });
      bar.engine.drinks.pours.record(ended, 'pin', bar.now());
    }
  }
}

const raised = () => bar.raised().filter((alarm) => alarm.startsWith('line_flow'));

/** Lets the night pass after that evening, with a check every six hours at least. */
function passNight(evening: number): void {
  bar.passTo(openedMs + evening * day + 12 * hour);
  // Twenty evenings are read at each check.
  bar.poll();
  bar.poll();
}

test('a tap that flows slowly raises one alarm after the second evening, and one good evening ends it', () => {
  pourEvening(8, 8);
  passNight(8);
  expect(raised()).toEqual([]);
  pourEvening(9, 8);
  passNight(9);
  expect(raised()).toEqual(['line_flow tap-1 blocked_line']);
  pourEvening(10, 8);
  passNight(10);
  expect(raised()).toEqual(['line_flow tap-1 blocked_line']);
  pourEvening(11, 12);
  passNight(11);
  expect(raised()).toEqual([]);
});

test('low pressure at all taps is one alarm', () => {
  for (const evening of [8, 9]) pourEvening(evening, 8, 20);
  passNight(9);
  expect(raised()).toEqual(['line_flow gas']);
});

test('an alarm stays open over a restart, also while the clock is not set', () => {
  for (const evening of [8, 9]) pourEvening(evening, 8);
  passNight(9);
  bar.restart();
  const { monoMs, wallMs } = bar.now();
  bar.setClock({ monoMs: monoMs + minute, wallMs: wallMs + minute, synced: false });
  bar.poll();
  expect(raised()).toEqual(['line_flow tap-1 blocked_line']);
  bar.setClock({ monoMs: monoMs + 2 * minute, wallMs: wallMs + 2 * minute, synced: true });
  bar.poll();
  expect(raised()).toEqual(['line_flow tap-1 blocked_line']);
});
