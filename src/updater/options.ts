import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type UpdateRules, updateRules } from '../core/updates/update-state.ts';
import { productDirectory } from '../system/product.ts';

/** Where the updater works. The package's paths unless an option says otherwise; tests use folders and short times of their own. */
export interface UpdaterOptions {
  readonly releases: string;
  readonly stateDirectory: string;
  readonly payload: string;
  readonly settings: string | null;
  /** The processor as Node.js calls it. */
  readonly processor: string;
  readonly systemctl: string;
  readonly bootIdFile: string | null;
  readonly rules: UpdateRules;
  readonly pollMs: number;
  /** Between two tries to download a package, milliseconds: the network of a booting machine comes up late. */
  readonly retryMs: number;
}

/** Where dpkg unpacks the package. */
export const packageFolder = '/usr/lib/tapster';

/** Releases of an installed package. */
export const releasesFolder = '/var/lib/tapster-releases';

const options = {
  releases: { type: 'string', default: releasesFolder },
  'state-directory': { type: 'string', default: '/var/lib/tapster' },
  payload: { type: 'string', default: productDirectory },
  config: { type: 'string' },
  systemctl: { type: 'string', default: 'systemctl' },
  processor: { type: 'string', default: process.arch },
  'boot-id-file': { type: 'string' },
  'retry-ms': { type: 'string', default: '60000' },
  'poll-ms': { type: 'string', default: '1000' },
  'ok-for-ms': { type: 'string' },
  'within-ms': { type: 'string' },
  'trial-ms': { type: 'string' },
  'max-wait-ms': { type: 'string' },
} as const;

/** Parses the arguments after the command. Throws for unknown options and numbers out of range. */
export function parseOptions(args: readonly string[]): {
  readonly words: readonly string[];
  readonly options: UpdaterOptions;
} {
  const { values, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: true,
  });
  const number = (
    name: 'poll-ms' | 'retry-ms' | 'ok-for-ms' | 'within-ms' | 'trial-ms' | 'max-wait-ms',
    usual: number,
  ) => {
    const text = values[name];
    if (text === undefined) return usual;
    if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a number of milliseconds.`);
    return Number(text);
  };
  return {
    words: positionals,
    options: {
      releases: values.releases,
      stateDirectory: values['state-directory'],
      payload: values.payload,
      settings: values.config ?? null,
      processor: values.processor,
      systemctl: values.systemctl,
      bootIdFile: values['boot-id-file'] ?? null,
      rules: {
        ...updateRules,
        okForMs: number('ok-for-ms', updateRules.okForMs),
        withinMs: number('within-ms', updateRules.withinMs),
        trialMs: number('trial-ms', updateRules.trialMs),
        maxWaitMs: number('max-wait-ms', updateRules.maxWaitMs),
      },
      pollMs: number('poll-ms', 1_000),
      retryMs: number('retry-ms', 60_000),
    },
  };
}

/** The lock of the running updater, and that of adding and deleting releases. */
export const lockNames = (folder: string) => ({ run: join(folder, 'run'), add: join(folder, 'add') });
