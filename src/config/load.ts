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
import { type Config, schemaWith } from './schema.ts';
import type { RawSettings, SettingsGroup } from './settings-group.ts';

export { ConfigFault, configExitCode } from './config-fault.ts';

/** Where to look for the configuration; the defaults are those of the real machine. */
interface LoadOptions extends Partial<ConfigChoice> {
  /** Replaces `hardware/meters/` in tests. */
  readonly catalogue?: MeterCatalogue;
}

type BaseConfig = Omit<Config, 'groups'>;

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

/** Loads configurations with these groups besides the settings of the base. */
export function createConfigLoader(groups: readonly SettingsGroup[]) {
  const schema = schemaWith(groups);

  /** Parses the text of a configuration file as `loadConfig` does; `source` names it in the faults. */
  function parseConfig(text: string, source: string, options: LoadOptions = {}): Config {
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
      ...applySchema(data, schema),
      ...findConsistencyFaults(data, catalogue, groups),
      ...applyEnvOverrides(data, env),
    ];
    if (faults.length > 0) throw new ConfigFault(source, faults);
    const [own, others] = splitGroups(data as RawSettings, groups);
    return { ...completeConfig(own, catalogue, cwd), groups: completeGroups(others, groups, cwd) };
  }

  return {
    parseConfig,

    /**
     * Finds, reads, checks and completes the configuration: `--config`, else `$TAPSTER_CONFIG`, else the
     * installed file, else the demo profile; the environment's overrides are applied last. Relative paths in it
     * start from the working directory. Throws `ConfigFault` with all faults at once.
     */
    loadConfig(options: LoadOptions = {}): LoadedConfig {
      const env = options.env ?? process.env;
      const cwd = options.cwd ?? process.cwd();
      const { text, source, isDemo } = readConfigText({ ...options, env, cwd });
      return { config: parseConfig(text, source, options), text, source, isDemo };
    },
  };
}

/** The settings of the base, and those of the groups. */
function splitGroups(file: RawSettings, groups: readonly SettingsGroup[]): [BaseConfig, RawSettings] {
  const isGroup = (key: string) => groups.some(({ name }) => name === key);
  const entries = Object.entries(file);
  return [
    // Checked by the schema.
    Object.fromEntries(entries.filter(([key]) => !isGroup(key))) as unknown as BaseConfig,
    Object.fromEntries(entries.filter(([key]) => isGroup(key))),
  ];
}

function completeGroups(file: RawSettings, groups: readonly SettingsGroup[], cwd: string): RawSettings {
  const toAbsolute = (path: string) => resolve(cwd, path);
  return Object.fromEntries(
    groups.map(({ name, complete }) => [name, complete?.(file[name], toAbsolute) ?? file[name]]),
  );
}

function completeConfig(config: BaseConfig, catalogue: MeterCatalogue, cwd: string): BaseConfig {
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
