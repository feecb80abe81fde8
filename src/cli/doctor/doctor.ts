import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readMeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import { loadConfig } from '../../daemon/load-config.ts';
import { openPins } from '../../devices/gpio/choose-driver.ts';
import { loadGpioKernel } from '../../devices/gpio/gpio-uapi.ts';
import { readHostInfo, systemRoots } from '../../devices/gpio/host-info.ts';
import { createOneWireBus } from '../../devices/onewire/onewire-bus.ts';
import { extensions } from '../../extensions/all.ts';
import { configuredFeatures } from '../../extensions/extension.ts';
import { withStoredHardware } from '../../services/hardware/stored-hardware.ts';
import { LostDatabase } from '../../store/site-files.ts';
import { createClock } from '../../system/clock.ts';
import { machineReadings } from '../../system/clock-readings.ts';
import { type Finding, warn } from '../../system/health/finding.ts';
import { memoryFindings } from '../../system/health/memory-health.ts';
import { powerFindings } from '../../system/health/power-health.ts';
import { storageFindings } from '../../system/health/storage-health.ts';
import { readLastExit } from '../../system/last-run.ts';
import { type Command, configOption, readArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { requireReadableDatabase } from '../permission.ts';
import { boardFindings } from './board.ts';
import { clockFindings } from './clock.ts';
import { addressFinding, daemonFindings, fetchHealth, isTapster, lastExitFindings } from './daemon.ts';
import { databaseFindings } from './database.ts';
import { httpsFindings } from './https.ts';
import { pinFindings } from './pins.ts';
import { readerFindings } from './readers.ts';
import { conclusion, hasFailure, type Section, sectionText } from './section.ts';
import { thermoFindings } from './thermo-sensors.ts';
import { valveFindings } from './valves.ts';
import { wiringFindings } from './wiring.ts';

/** Checks everything that the taps depend on and prints findings with advice. */
export const doctorCommand: Command = {
  help: `Usage: tapster doctor [--config FILE]

Checks board, daemon, pins, valves, thermo sensors, readers, database, HTTPS, clock, power, memory, disk, and the hardware
of features that are set up. While the daemon runs it opens no line; without one it opens the meters' lines itself for two seconds. Pour a
little to see them pulse.

Results: ok, warn (check it), fail (does not work), - (cannot be checked here).
Exit codes: 0 nothing failed, 1 something did, 77 this user may not read the files of the bar, 78 faults in the configuration.
`,
  async run(args, io) {
    const { values } = readArgs(args, configOption);
    const loaded = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    requireReadable(loaded.config.database);
    const { config, unused } = withStoredHardware(loaded.config);
    const host = readHostInfo(systemRoots);
    const health = await fetchHealth(config.http);
    const daemonRuns = isTapster(health);
    const checks: (readonly [string, () => Finding[] | Promise<Finding[]>])[] = [
      ['Board', () => boardFindings({ host, ...readProcessor() })],
      [
        'Daemon',
        () => [
          ...daemonFindings(health),
          addressFinding(config.http),
          ...lastExitFindings(readLastExit(config.database)),
        ],
      ],
      ['Wiring', () => [...unused.map((text) => warn(text)), ...wiringFindings(config, host)]],
      ['Pins', () => pinFindings(config, { ...machine, host, daemonRuns, open: () => openMeters(config) })],
      ['Valves', () => valveFindings(config, host)],
      ['Thermo sensors', () => thermoFindings(config, createOneWireBus(config.onewire))],
      ...extensionChecks(config),
      ['Readers', () => readerFindings(config)],
      ['Database', () => databaseFindings(loaded)],
      ['HTTPS', () => httpsFindings(loaded, createClock().now())],
      ['Clock', () => clockFindings(machineReadings())],
      ['Power', () => powerFindings()],
      ['Memory', () => memoryFindings()],
      ['Disk', () => storageFindings(dirname(config.database))],
    ];

    io.out(`Configuration: ${loaded.source}${loaded.isDemo ? ' (the demo)' : ''}\n`);
    const sections: Section[] = [];
    for (const [title, check] of checks) {
      const section = { title, findings: await check() };
      // Printed at once, because checking the pins takes two seconds.
      io.out(sectionText(section));
      sections.push(section);
    }
    io.out(conclusion(sections));
    return hasFailure(sections) ? exitCodes.checkFailed : exitCodes.ok;
  },
};

/** The checks of extensions that the settings file does not switch off. */
function extensionChecks(config: Config) {
  const features = configuredFeatures(extensions, config);
  return extensions.flatMap(({ name, doctorCheck }) =>
    doctorCheck === undefined || features[name] === false
      ? []
      : [[doctorCheck.title, async () => (await doctorCheck.load())(config)] as const],
  );
}

/** What this user may not read would be reported as missing. A lost database is one finding of several. */
function requireReadable(database: string): void {
  try {
    requireReadableDatabase(database);
  } catch (fault) {
    if (!(fault instanceof LostDatabase)) throw fault;
  }
}

const machine = {
  roots: systemRoots,
  kernel: loadGpioKernel,
  wait: (ms: number) => wait(ms),
  catalogue: readMeterCatalogue(),
};

function readProcessor() {
  const armVersion = Number(
    (process.config.variables as { arm_version?: unknown }).arm_version ?? Number.NaN,
  );
  return {
    arch: process.arch,
    armVersion: Number.isFinite(armVersion) ? armVersion : null,
    node: process.versions.node,
  };
}

function openMeters(config: Config) {
  const { driver, chip } = config.gpio;
  if (driver === 'simulated') throw new Error('Simulated pins are not opened here.');
  return openPins({
    gpio: chip === undefined ? { driver } : { driver, chip },
    controller: config.controller.name,
    meters: config.meters,
    // No relays, so that the doctor cannot open a valve.
    toggles: [],
  });
}
