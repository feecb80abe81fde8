import type { SupplyVoltage } from '../../../core/alarms/supply-voltage.ts';
import { type Detector, hourMs, minuteMs } from './condition.ts';

/**
 * A supply that is too weak fails at each load, such as an opened valve: one alarm for an evening is enough, milliseconds.
 */
const supplyClearsMs = 12 * hourMs;

/**
 * After a power cut the router needs up to 5 minutes, and the time service then waits up to 10 for its next attempt, milliseconds.
 */
const clockUnsetMs = 20 * minuteMs;

/** The supply voltage; the machine has one. */
export const detectUndervoltage =
  (voltage: Pick<SupplyVoltage, 'state' | 'drops'>): Detector =>
  (_, now) => [
    {
      kind: 'undervoltage',
      subject: 'machine',
      state: voltage.state(now.monoMs),
      lastsMs: 0,
      clearsAfterMs: supplyClearsMs,
      values: { drops: voltage.drops },
    },
  ];

/** The time of the machine: once known it stays known until the next start. */
export const detectUnsetClock: Detector = (_, now) => [
  {
    kind: 'clock_unset',
    subject: 'machine',
    state: now.synced ? 'good' : 'bad',
    lastsMs: clockUnsetMs,
    // A clock that is set cannot become unset, so nothing is gained by waiting.
    clearsAfterMs: 0,
    values: { minutes: clockUnsetMs / minuteMs },
  },
];
