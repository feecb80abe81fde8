import { resolve } from 'node:path';
import { omitUndefined } from '../core/omit-undefined.ts';
import { followLinks } from '../system/small-files.ts';
import { applySchema } from './apply-schema.ts';
import { ConfigFault } from './config-fault.ts';
import { type ConfigChoice, readConfigText } from './config-source.ts';
import { findConsistencyFaults } from './consistency-faults.ts';
import { applyEnvOverrides } from './env-overrides.ts';
import { readJsonText } from './json-text.ts';
import { type MeterCatalogue, modelMinGapMs, readMeterCatalogue } from './meter-catalogue.ts';
import type { Config } from './schema.ts';

export { ConfigFault, configExitCode } from './config-fault.ts';

/** Where to look for the configuration; the defaults are those of the real machine. */
interface LoadOptions extends Partial<ConfigChoice> {
  /** Replaces `hardware/meters/` in tests. */
  readonly catalogue?: MeterCatalogue;
}

export interface LoadedConfig {
  /** Complete: with all defaults, calibrations from the catalogue and absolute paths. */
  readonly config: Config;
  /** The text of the file. */
  readonly text: string;
  /** Absolute path of the file. */
  readonly source: string;
  /** True when no configuration was found and the demo profile is used. */
  readonly isDemo: boolean;
}

/**
 * Finds, reads, checks and completes the configuration: `--config`, else `$TAPSTER_CONFIG`, else the
 * installed file, else the demo profile; the environment's overrides are applied last. Relative paths in it
 * start from the working directory. Throws `ConfigFault` with all faults at once.
 */
export function loadConfig(options: LoadOptions = {}): LoadedConfig {
  const env = options.env ?? process.env;
  const cwd = options.cwd ?? process.cwd();
  const { text, source, isDemo } = readConfigText({ ...options, env, cwd });
  return { config: parseConfig(text, source, options), text, source, isDemo };
}

/** Parses the text of a configuration file as `loadConfig` does; `source` names it in the faults. */
export function parseConfig(text: string, source: string, options: LoadOptions = {}): Config {
  const env = options.env ?? process.env;
  const cwd = options.cwd ?? process.cwd();
  const outcome = readJsonText(text);
  if (outcome.kind === 'fault') {
    const { line, column, problem } = outcome.fault;
    throw new ConfigFault(source, [`Line ${line}, column ${column}: ${problem}.`]);
  }
  const data = outcome.value;
  const catalogue = options.catalogue ?? readMeterCatalogue();
  const faults = [
    ...applySchema(data),
    ...findConsistencyFaults(data, catalogue),
    ...applyEnvOverrides(data, env),
  ];
  if (faults.length > 0) throw new ConfigFault(source, faults);
  return completeConfig(data as Config, catalogue, cwd);
}

function completeConfig(config: Config, catalogue: MeterCatalogue, cwd: string): Config {
  return {
    ...config,
    // What lies beside the database is found beside the file itself, so that a link to it is the same site.
    database: followLinks(resolve(cwd, config.database)),
    https: {
      ...config.https,
      certificate_file: toPath(cwd, config.https.certificate_file),
      key_file: toPath(cwd, config.https.key_file),
    },
    onewire: { ...config.onewire, directory: resolve(cwd, config.onewire.directory) },
    serial: {
      ...config.serial,
      directory: resolve(cwd, config.serial.directory),
      boards: config.serial.boards.map((board) => ({ ...board, path: resolve(cwd, board.path) })),
    },
    meters: config.meters.map((meter) => {
      const model = meter.model === undefined ? undefined : catalogue.get(meter.model);
      const ticksPerMl = meter.ticks_per_ml ?? model?.ticksPerMl;
      return {
        ...meter,
        // Not filled in by the schema, because it depends on the model.
        min_gap_ms: (meter.min_gap_ms as number | undefined) ?? modelMinGapMs(model),
        ...omitUndefined({ ticks_per_ml: ticksPerMl }),
      };
    }),
  };
}

/** An absolute path; empty stays empty. */
const toPath = (cwd: string, file: string): string => (file === '' ? '' : resolve(cwd, file));
