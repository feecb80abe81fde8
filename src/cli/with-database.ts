import { randomUUID } from 'node:crypto';
import type { LoadedConfig } from '../config/load.ts';
import { AppError } from '../core/app-error.ts';
import type { Moment } from '../core/clock/moment.ts';
import { createEventBus } from '../core/event-bus.ts';
import { loadConfig } from '../daemon/load-config.ts';
import { createEngine } from '../engine/create-engine.ts';
import { type Engine, isFeatureOn, loadExtensions } from '../engine/engine.ts';
import { extensions } from '../extensions/all.ts';
import { configuredFeatures } from '../extensions/extension.ts';
import { siteHasBegun } from '../store/site-files.ts';
import { openStore } from '../store/store.ts';
import { createClock } from '../system/clock.ts';
import { actAsOwner } from './act-as-owner.ts';
import type { CliIo } from './command.ts';
import { requireReadableDatabase } from './permission.ts';

/**
 * How long a command waits for a lock of the daemon, milliseconds: longer than the daemon for a command, since only the
 * person at the console waits, and an SD card may stall for seconds.
 */
const busyMs = 10_000;

/** The open database of a command. */
export interface OpenDatabase {
  readonly engine: Engine;
  readonly now: Moment;
  readonly loaded: LoadedConfig;
  /** Runs SQLite's integrity check, which reads the whole file. */
  readonly findFileFaults: () => readonly string[];
}

/** Opens the configured database, also while the daemon runs, does the work and closes it. */
export async function withDatabase<T>(
  options: { readonly configPath: string | undefined; readonly io: CliIo },
  work: (database: OpenDatabase) => T | Promise<T>,
): Promise<T> {
  const { configPath, io } = options;
  const loaded = loadConfig({ path: configPath, env: io.env, cwd: io.cwd });
  actAsOwner(loaded.config.database);
  return withLoadedConfig(loaded, work);
}

/**
 * Like `withDatabase`, with a loaded configuration and as the present user. `readOnly` neither writes nor
 * upgrades; the feature `switchOn` is on in this process although the site has it off.
 */
export async function withLoadedConfig<T>(
  loaded: LoadedConfig,
  work: (database: OpenDatabase) => T | Promise<T>,
  {
    readOnly = false,
    switchOn = null,
  }: { readonly readOnly?: boolean; readonly switchOn?: string | null } = {},
): Promise<T> {
  const { judgement } = loaded.config;
  const { database } = loaded.config;
  if (!requireReadableDatabase(database) && readOnly) {
    throw new AppError(
      'unavailable',
      `There is no database at ${database} yet; the daemon creates it at its first start.`,
    );
  }
  const store = openStore({ file: database, readOnly, waitMs: busyMs, extensions });
  try {
    if (!readOnly) siteHasBegun(database);
    const settings = {
      maxFlowMlPerS: judgement.max_flow_ml_per_s,
      maxReportedMl: judgement.max_reported_ml,
      features: configuredFeatures(extensions, loaded.config),
    };
    const parts = {
      store,
      // This process has no subscribers; the daemon notices changes of the database by itself.
      bus: createEventBus(() => {}),
      ids: { next: randomUUID },
      settings,
    };
    const engine = createEngine(
      parts,
      await loadExtensions(
        extensions,
        (extension) => extension.name === switchOn || isFeatureOn(store, settings, extension),
      ),
    );
    const clock = createClock({ newestSyncedMs: engine.drinks.clockCorrection.newestSyncedMs() });
    return await work({ engine, now: clock.now(), loaded, findFileFaults: () => store.faults() });
  } finally {
    store.close();
  }
}
