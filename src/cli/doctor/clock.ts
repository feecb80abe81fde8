import { createClock } from '../../system/clock.ts';
import type { ClockReadings } from '../../system/clock-readings.ts';
import { type Finding, ok, warn } from '../../system/health/finding.ts';

/** Checks that the clock is set, because it dates the drinks. */
export function clockFindings(readings: ClockReadings): Finding[] {
  const clock = createClock({ readings });
  const time = new Date(readings.wallMs()).toISOString().replace(/\.\d+Z$/, 'Z');
  if (clock.now().synced) {
    const why =
      readings.flagFile() === 'present'
        ? 'a time server has answered'
        : 'this machine has no known time service';
    return [ok(`The clock shows ${time}; ${why}.`)];
  }
  return [
    warn(
      `The clock shows ${time}, but it is not set. Drinks are counted and marked; their times are corrected later.`,
      'Connect the Pi to a network for a minute, set the time on the page, or fit a clock with a battery.',
    ),
  ];
}
