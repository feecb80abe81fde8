import { join } from 'node:path';
import { createProblem } from '../../core/health/problems.ts';
import { listNames, readTextFile } from '../small-files.ts';
import { type Finding, ok, problemFinding, unknown } from './finding.ts';

/** A Pi throttles its processor from this temperature on, °C. */
const throttlingTempC = 80;

/**
 * Checks supply voltage and processor temperature, as far as the kernel shows them. `sysDirectory` is `/sys`
 * except in tests.
 */
export function powerFindings(sysDirectory = '/sys'): Finding[] {
  return [supply(sysDirectory), heat(sysDirectory)];
}

/** Returns a function that tells whether the supply voltage is too low; null where the kernel does not show it. */
export function openSupplySensor(sysDirectory = '/sys'): () => boolean | null {
  const root = join(sysDirectory, 'class', 'hwmon');
  const sensor = listNames(root).find((name) => readTextFile(join(root, name, 'name')) === 'rpi_volt');
  if (sensor === undefined) return () => null;
  // The kernel's alarm, not vcgencmd: the driver polls and clears the firmware's sticky bits, so they are
  // unreliable.
  const file = join(root, sensor, 'in0_lcrit_alarm');
  return () => {
    const alarm = readTextFile(file);
    return alarm === null ? null : alarm !== '0';
  };
}

function supply(sysDirectory: string): Finding {
  const isLow = openSupplySensor(sysDirectory)();
  if (isLow === null) return unknown('The supply voltage cannot be read here.');
  if (!isLow) return ok('The supply voltage is high enough.');
  return problemFinding('warn', createProblem('low_voltage'), createProblem('low_voltage_advice'));
}

function heat(sysDirectory: string): Finding {
  const root = join(sysDirectory, 'class', 'thermal');
  const temps = listNames(root)
    .filter((name) => name.startsWith('thermal_zone'))
    .map((name) => Number(readTextFile(join(root, name, 'temp')) ?? Number.NaN) / 1_000)
    .filter(Number.isFinite);
  if (temps.length === 0) return unknown('The processor’s temperature cannot be read here.');
  const hottest = Math.max(...temps);
  const temperature = hottest.toFixed(0);
  if (hottest < throttlingTempC) return ok(`The processor has ${temperature} °C.`);
  return problemFinding('warn', createProblem('too_hot', { temperature }), createProblem('too_hot_advice'));
}
