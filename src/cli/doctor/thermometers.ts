import { existsSync } from 'node:fs';
import type { Config } from '../../config/schema.ts';
import type { ThermoBus, ThermoReading } from '../../devices/ports.ts';
import { type Finding, ok, unknown, warn } from '../../system/finding.ts';

/** Every probe on the 1-Wire bus with its temperature, and every one a tap waits for in vain. */
export async function thermoFindings(config: Config, bus: ThermoBus): Promise<Finding[]> {
  const { directory } = config.onewire;
  const wanted = config.taps.flatMap(({ name, thermo }) =>
    thermo === undefined ? [] : [{ tap: name, thermo }],
  );
  if (!existsSync(directory)) {
    const text = `There is no 1-Wire bus at ${directory}.`;
    return [
      wanted.length === 0
        ? unknown(text)
        : warn(text, 'Add dtoverlay=w1-gpio to /boot/firmware/config.txt and restart the Pi.'),
    ];
  }
  const readings = await bus.read();
  const missing = wanted.filter(({ thermo }) => !readings.some(({ sensor }) => sensor === thermo));
  const findings = [
    ...readings.map(judged),
    ...missing.map(({ tap, thermo }) =>
      warn(
        `${thermo} of the tap "${tap}" is not on the bus.`,
        'Look at its wiring, or correct taps[].thermo.',
      ),
    ),
  ];
  return findings.length === 0 ? [unknown('No thermometer is on the 1-Wire bus.')] : findings;
}

function judged(reading: ThermoReading): Finding {
  switch (reading.kind) {
    case 'temperature':
      return ok(`${reading.sensor}: ${reading.tempC.toFixed(1)} °C.`);
    case 'refused':
      return warn(`${reading.sensor}: ${reading.reason}.`, 'Look at its plug and its 4.7 kΩ pull-up.');
    case 'stale':
      return warn(
        `${reading.sensor}: silent.`,
        'Look at its plug; some probes return only after losing power.',
      );
  }
}
