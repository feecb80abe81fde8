import { findHeader, meterModels } from '../../../src/config/hardware-catalogue.ts';
import { mergeHardware } from '../../../src/config/merged-hardware.ts';
import { readMeterCatalogue } from '../../../src/config/meter-catalogue.ts';
import type { HealthReport } from '../../../src/core/health/own-health.ts';
import { createProblem, textProblem } from '../../../src/core/health/problems.ts';
import type { PinEntry } from '../../../src/core/taps/pin-entries.ts';
import { parseConfig } from '../../../src/daemon/load-config.ts';
import type { HardwareView } from '../../../src/http/hardware-ports.ts';
import type { MeterStatus } from '../../../src/http/ports.ts';
import type { WiredMeter, WiringService } from '../../../src/http/wiring-ports.ts';
import { ChangingHardware } from '../../../src/services/hardware/hardware-in-force.ts';
import { hardwareSnapshot } from '../../../src/services/hardware/hardware-snapshot.ts';
import { toMeterModel } from '../../../src/services/hardware/meter-model.ts';

/** A healthy bar but for one problem, so that the notices have something to show. */
export const sampleHealth: HealthReport = {
  parts: [
    { name: 'counting', problems: [], vital: true },
    { name: 'storing', problems: [], vital: true },
    {
      name: 'backups',
      problems: [textProblem('The folder for copies of backups cannot be written.')],
      vital: false,
    },
  ],
};

/** All meters count. */
export const sampleMeters = (taps: number): readonly MeterStatus[] =>
  Array.from({ length: taps }, (_, index) => ({
    meter: `pi.flow${index}`,
    state: 'counting' as const,
    problem: null,
  }));

/** The wiring of that many meters, one of which never ticked, and of one probe, read now. */
export function sampleWiring(taps: number, nowMs: number): WiringService {
  const meters = Array.from(
    { length: taps },
    (_, index): WiredMeter => ({
      meter: `pi.flow${index}`,
      pin: index + 2,
      headerPin: index + 3,
      level: 1,
      hz: 0,
      ticks: index === 1 ? 0 : 12_400 + index,
      refused: index,
      lost: 0,
      shape: 'quiet',
      echoOf: null,
      findings: [
        index === 1
          ? { topic: 'never', status: 'unknown', text: 'No pulse since the start.', advice: 'Pour a little.' }
          : { topic: 'counts', status: 'ok', text: 'It counts.' },
      ],
    }),
  );
  const works = [{ topic: 'works' as const, status: 'ok' as const, text: 'It works.' }];
  return {
    snapshot: () => ({
      driver: 'cdev',
      description: [],
      findings: [],
      meters,
      relays: taps === 0 ? [] : [{ name: 'pi.relay0', findings: works }],
      probes: taps === 0 ? [] : [{ name: '28-0000000000a1', findings: works, tempC: 4.2, timeMs: nowMs }],
      boards: [],
      readers: [],
    }),
  };
}

const freePin = 27;
const relayPin = 26;

/**
 * The pins of a Raspberry Pi 4: the first meter stands in the settings file, the second cannot be opened, one has no tap, and
 * a relay was wired to another machine.
 */
export function sampleMachine(taps: number): HardwareView {
  const config = parseConfig(
    JSON.stringify({ meters: taps === 0 ? [] : [{ port: 'flow0', pin: 2, model: 'swissflow-sf800' }] }),
    'sample',
    { env: {} },
  );
  const meter = (port: string, pin: number): PinEntry => ({
    kind: 'meter',
    port,
    pin,
    model: 'ft330-rj',
    ticksPerMl: null,
    minGapMs: 1.2,
    bias: 'pull-up',
    edge: 'falling',
  });
  const relay = (port: string, pin: number): PinEntry => ({
    kind: 'relay',
    port,
    pin,
    activeLow: false,
    machine: port,
  });
  const entries = [
    ...Array.from({ length: taps }, (_, index) => meter(`flow${index}`, index + 2)).slice(1),
    ...(taps === 0 ? [] : [meter('spare', freePin), relay('relay0', relayPin), relay('relay1', 0)]),
  ];
  const catalogue = readMeterCatalogue();
  const merged = mergeHardware(config, entries, catalogue, { isOther: (mark) => mark === 'relay1' });
  return hardwareSnapshot({
    config,
    hardware: new ChangingHardware(merged),
    driver: 'cdev',
    faults: [
      { name: 'pi.flow1', problem: createProblem('line_taken', { line: 'GPIO 3', owner: 'w1_gpio' }) },
    ],
    header: findHeader('Raspberry Pi 4 Model B'),
    models: meterModels().map(toMeterModel),
    probes: taps === 0 ? [] : [{ name: '28-0000000000a1', tempC: 4.2, isFixed: false }],
    isRestartNeeded: false,
    canRestart: true,
  });
}
