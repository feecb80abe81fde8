import { createClock } from '../../system/clock.ts';
import type { ClockReadings } from '../../system/clock-readings.ts';
import { type Finding, ok, warn } from '../../system/finding.ts';

/** Whether the time that drinks are stamped with can be believed. */
export function clockFindings(readings: ClockReadings): Finding[] {
  const clock = createClock({ readings });
  const time = new Date(readings.wallMs()).toISOString().replace(/\.\d+Z$/, 'Z');
  if (clock.now().synced) {
    const why =
      readings.flagFile() === 'present' ? 'a time server has answered' : 'no time service is watched here';
    return [ok(`The clock shows ${time}; ${why}.`)];
  }
  return [
    warn(
      `The clock shows ${time}, which nobody has confirmed. Drinks are counted and marked; their times follow later.`,
      'Give the Pi a network for a minute, set the time on the page, or fit a clock with a battery.',
    ),
  ];
}
