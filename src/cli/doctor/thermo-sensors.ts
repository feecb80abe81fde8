import type { Config } from '../../config/schema.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { sensorFaults } from '../../core/temperatures/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../../devices/device-interfaces.ts';
import { busFinding, sensorFinding } from '../../services/wiring/sensor-findings.ts';
import { type Finding, unknown } from '../../system/health/finding.ts';

/** Lists every sensor on the 1-Wire bus with its temperature, and every configured sensor that is missing. */
export async function thermoFindings(config: Config, bus: ThermoBus): Promise<Finding[]> {
  const configured = config.taps.flatMap(({ name, thermo }) =>
    thermo === undefined ? [] : [{ tap: name, thermo }],
  );
  const noBus = busFinding(config.onewire.directory, configured.length > 0);
  if (noBus !== null) return [toFinding(noBus)];
  const readings = await bus.read();
  const missing = configured.filter(({ thermo }) => !readings.some(({ sensor }) => sensor === thermo));
  const findings = [
    ...readings.map(readingFinding),
    ...missing.map(({ tap, thermo }) => {
      const reason = sensorFaults.absent;
      const text = `${thermo} of the tap "${tap}" is ${reason}.`;
      return { ...toFinding(sensorFinding({ name: thermo, tempC: null, reason, isStale: false })), text };
    }),
  ];
  return findings.length === 0 ? [unknown('No thermometer is on the 1-Wire bus.')] : findings;
}

function readingFinding(reading: ThermoReading): Finding {
  const name = reading.sensor;
  if (reading.kind === 'temperature') {
    const found = toFinding(sensorFinding({ name, tempC: reading.tempC, reason: null, isStale: false }));
    return { ...found, text: `${name}: ${found.text}` };
  }
  const { reason } = reading;
  const found = toFinding(sensorFinding({ name, tempC: null, reason, isStale: reading.kind === 'stale' }));
  return { ...found, text: `${name}: ${reason}.` };
}

const toFinding = ({ status, text, advice }: Finding): Finding => ({
  status,
  text,
  ...omitUndefined({ advice }),
});
