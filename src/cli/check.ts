import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { requireKnownFeatures } from '../config/feature-faults.ts';
import type { Config } from '../config/schema.ts';
import { settingsTable } from '../config/table.ts';
import { loadConfig } from '../daemon/load-config.ts';
import { bestDriver, findDriver, pinDrivers } from '../devices/gpio/drivers/list.ts';
import type { PinDriver } from '../devices/gpio/drivers/pin-driver.ts';
import { extensionNames, settingsGroups } from '../extensions/all.ts';
import { withStoredHardware } from '../services/hardware/stored-hardware.ts';
import { inspectDatabase } from '../store/inspect-database.ts';
import { createClock } from '../system/clock.ts';
import { isPackage } from '../system/product.ts';
import { type Command, configOption, readArgs } from './command.ts';
import { ownCertificateFindings } from './doctor/https.ts';
import { exitCodes } from './exit-codes.ts';
import { requireReadableDatabase } from './permission.ts';

/** Reads the configuration and prints a summary with warnings; `runCli` prints its faults. */
export const checkCommand: Command = {
  help: `Usage: tapster check [--config FILE] [--settings | --for-update [--way-back FOLDER] | --opens FILE]

Reads the configuration and lists every fault with its path. Changes nothing.

  --settings    print the table of all settings instead
  --for-update  load every library and open a copy of the database, too, as the updater does before it switches to
                this version; the last line is the address of page and API as JSON
  --way-back FOLDER  have the release in FOLDER confirm that it could use the database afterwards
  --opens FILE  only say whether this version can use that database

Exit codes: 0 no fault, 69 a library or the database cannot be used, or the database is lost, 77 this user may not read it,
78 faults.
`,
  async run(args, io) {
    const { values } = readArgs(args, {
      ...configOption,
      settings: { type: 'boolean' },
      'for-update': { type: 'boolean' },
      'way-back': { type: 'string' },
      opens: { type: 'string' },
    });
    if (values.opens !== undefined) {
      inspectDatabase(resolve(io.cwd, values.opens));
      return exitCodes.ok;
    }
    if (values.settings) {
      io.out(settingsTable(settingsGroups));
      return exitCodes.ok;
    }
    const { source, isDemo, ...loaded } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    requireKnownFeatures({ ...loaded, source }, extensionNames);
    requireReadableDatabase(loaded.config.database);
    const { config, chosen, unused } = withStoredHardware(loaded.config);
    io.out(
      isDemo ? `No configuration was found, so the demo runs: ${source}\n` : `Configuration: ${source}\n`,
    );
    io.out(summary(config, chosen));
    for (const warning of [...unused, ...configWarnings(config, isLibraryInstalled, chosen)])
      io.out(`Note: ${warning}\n`);
    for (const { status, text } of isDemo ? [] : ownCertificateFindings(config, createClock().now()))
      io.out(status === 'ok' ? `${text}\n` : `Note: ${text}\n`);
    if (values['for-update']) {
      const { tryUpdate } = await import('../services/updates/try-update.ts');
      await tryUpdate(resolve(io.cwd, config.database), { wayBack: values['way-back'] });
    }
    io.out('No faults.\n');
    if (values['for-update']) {
      const { host, port } = config.http;
      io.out(`${JSON.stringify({ http: { host, port } })}\n`);
    }
    return exitCodes.ok;
  },
};

function summary(config: Config, chosen: ReadonlySet<string>): string {
  const from = (port: string) => (chosen.has(port) ? ', chosen on the page' : '');
  const { http, gpio, controller } = config;
  return [
    `Database: ${config.database}`,
    `Page and API: ${http.host} port ${http.port === 0 ? 'any free one' : http.port}`,
    `Pins: driver ${gpio.driver}${gpio.chip === undefined ? '' : `, chip ${gpio.chip}`}`,
    ...config.meters.map((meter) => {
      const tap = config.taps.find((one) => one.meter === meter.port);
      const ticks = meter.ticks_per_ml === undefined ? 'not calibrated' : `${meter.ticks_per_ml} ticks/mL`;
      const tapName = tap === undefined ? 'no tap' : `tap "${tap.name}"`;
      const name = `  ${controller.name}.${meter.port} on GPIO ${meter.pin}, ${ticks}`;
      // The database knows the taps of meters that were chosen on the page.
      return chosen.has(meter.port) ? `${name}${from(meter.port)}` : `${name}, ${tapName}`;
    }),
    ...config.toggles.map(
      (toggle) => `  ${controller.name}.${toggle.port} on GPIO ${toggle.pin}, a relay${from(toggle.port)}`,
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** A pour of this size is a drink for certain, millilitres. */
const smallGlassMl = 100;

/**
 * Returns warnings about settings that are allowed but rarely intended. `isInstalled` looks up an optional
 * library; `chosen` are the ports that were chosen on the page.
 */
export function configWarnings(
  config: Config,
  isInstalled: (library: string) => boolean = isLibraryInstalled,
  chosen: ReadonlySet<string> = new Set(),
): string[] {
  const name = (port: string) => `${config.controller.name}.${port}`;
  return [
    ...missingDriver(config.gpio.driver, isInstalled),
    ...(config.meters.length === 0 ? ['no meter is declared, so no pin is counted.'] : []),
    ...config.meters
      .filter(({ port }) => !chosen.has(port) && !config.taps.some((tap) => tap.meter === port))
      .map(
        (meter) =>
          `${name(meter.port)} belongs to no tap; its pours are held for review until the page gives it one.`,
      ),
    ...config.meters
      .filter((meter) => meter.ticks_per_ml === undefined)
      .map(
        (meter) =>
          `${name(meter.port)} has neither model nor ticks_per_ml; it counts with a default until it is calibrated.`,
      ),
    ...config.meters.flatMap(({ port, ticks_per_ml: ticksPerMl }) => {
      const leastMl = ticksPerMl === undefined ? 0 : config.pour.min_ticks / ticksPerMl;
      if (leastMl <= smallGlassMl) return [];
      const ml = Math.round(leastMl);
      return `${name(port)} has ${ticksPerMl} ticks/mL, so that pour.min_ticks ${config.pour.min_ticks} is ${ml} mL: what is less is counted as a drip, small glasses too. Lower pour.min_ticks, or correct ticks_per_ml.`;
    }),
    ...config.taps
      .filter((tap) => tap.meter === undefined)
      .map((tap) => `the tap "${tap.name}" has no meter; its pours come from elsewhere.`),
  ];
}

/** Libraries of drivers are compiled at installation; npm skips them silently on a Pi without a compiler. */
function missingDriver(
  chosen: Config['gpio']['driver'],
  isInstalled: (library: string) => boolean,
): string[] {
  if (chosen === 'auto') return pinDrivers.flatMap((driver) => missingFallback(driver, isInstalled));
  const library = findDriver(chosen)?.library ?? null;
  if (library === null || isInstalled(library.name)) return [];
  return isPackage()
    ? [
        `the driver ${chosen} is not part of the package, so no pin can be counted. Use "${bestDriver.name}", or install Tapster from a checkout.`,
      ]
    : [`the driver ${chosen} is not installed, so no pin can be counted. ${remedy(library.name)}`];
}

function missingFallback(
  { name, autoReason, library }: PinDriver,
  isInstalled: (library: string) => boolean,
): string[] {
  if (autoReason === null || library === null || isInstalled(library.name)) return [];
  // The package runs on kernels with the character device only.
  if (isPackage()) return [];
  return [`the fallback driver ${name} is not installed; ${library.autoNeed}. ${remedy(library.name)}`];
}

const remedy = (library: string): string =>
  `"npm install --no-save ${library}" in the program’s folder adds it, where a compiler is installed.`;

function isLibraryInstalled(library: string): boolean {
  try {
    createRequire(import.meta.url).resolve(library);
    return true;
  } catch {
    return false;
  }
}
