import { sensorFaults } from '../../core/temperatures/thermo-rules.ts';
import type { WiringFinding, WiringTopic } from '../../http/wiring-ports.ts';
import { isAbsent } from '../../system/small-files.ts';

/** The input of the finding about one thermo sensor. */
interface SensorFacts {
  readonly name: string;
  /** Its last good reading, null before the first. */
  readonly tempC: number | null;
  /** Why its last answer was unusable; null when it was good. */
  readonly reason: string | null;
  /** True when the last good reading is too old to be used. */
  readonly isStale: boolean;
}

const plugAdvice = 'Check its plug and its 4.7 kΩ pull-up.';

const adviceByReason: Readonly<Record<string, readonly [WiringTopic, string]>> = {
  [sensorFaults.checksum]: ['checksum', plugAdvice],
  [sensorFaults.noAnswer]: ['unread', plugAdvice],
  [sensorFaults.stuckLow]: ['stuck_low', 'Data and ground touch, or the data wire has no 4.7 kΩ pull-up.'],
  [sensorFaults.powerOn]: [
    'power_on',
    'It loses its supply while it measures: connect all three wires, and check plug and pull-up.',
  ],
  [sensorFaults.absent]: ['absent', 'Check its wiring, or correct taps[].thermo.'],
};

/** Returns the finding about one thermo sensor. */
export function sensorFinding({ tempC, reason, isStale }: SensorFacts): WiringFinding {
  if (reason === null) {
    return tempC === null
      ? { topic: 'silent', status: 'unknown', text: 'It has not been read yet.' }
      : { topic: 'temperature', status: 'ok', text: `${tempC.toFixed(1)} °C.` };
  }
  const [topic, advice] = adviceByReason[reason] ?? ['unread', plugAdvice];
  const text = `It gives no usable reading: ${reason}.`;
  if (!isStale) return { topic, status: 'warn', text, advice };
  const power = 'Some sensors work again only after a power cycle.';
  return { topic, status: 'fail', text, advice: `${advice} ${power}` };
}

/** Returns a finding when the 1-Wire bus is missing, null when it exists. */
export function busFinding(directory: string, isRequired: boolean): WiringFinding | null {
  if (!isAbsent(directory)) return null;
  const text = `There is no 1-Wire bus at ${directory}.`;
  if (!isRequired) return { topic: 'no_bus', status: 'unknown', text };
  const advice = 'Add dtoverlay=w1-gpio to /boot/firmware/config.txt and restart the Pi.';
  return { topic: 'no_bus', status: 'warn', text, advice };
}
