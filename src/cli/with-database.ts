import { randomUUID } from 'node:crypto';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { createEventBus } from '../core/event-bus.ts';
import type { Moment } from '../core/moment.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { openStore } from '../store/store.ts';
import { createClock } from '../system/clock.ts';
import { actAsOwner } from './act-as-owner.ts';
import type { CliIo } from './command.ts';

/** What a command that works on the ledger is given. */
export interface OpenDatabase {
  readonly engine: Engine;
  readonly now: Moment;
  readonly loaded: LoadedConfig;
  /** What SQLite itself finds wrong with the file; reads the whole of it. */
  readonly findFileFaults: () => readonly string[];
}

/** Opens the configured ledger beside the daemon, which may be running, does the work and closes it again. */
export async function withDatabase<T>(
  options: { readonly configPath: string | undefined; readonly io: CliIo },
  work: (database: OpenDatabase) => T | Promise<T>,
): Promise<T> {
  const { configPath, io } = options;
  const loaded = loadConfig({ path: configPath, env: io.env, cwd: io.cwd });
  actAsOwner(loaded.config.database);
  return withLoadedConfig(loaded, work);
}

/** As `withLedger`, with a configuration already read and as whoever we are. `toLook` writes and upgrades nothing. */
export async function withLoadedConfig<T>(
  loaded: LoadedConfig,
  work: (database: OpenDatabase) => T | Promise<T>,
  { readOnly = false } = {},
): Promise<T> {
  const { judgement } = loaded.config;
  const store = openStore({ file: loaded.config.database, readOnly });
  try {
    const engine = createEngine({
      store,
      // Nobody listens in this process; the daemon's own page looks at the ledger by itself.
      bus: createEventBus(() => {}),
      ids: { next: randomUUID },
      settings: { maxFlowMlPerS: judgement.max_flow_ml_per_s, maxReportedMl: judgement.max_reported_ml },
    });
    const clock = createClock({ newestSyncedMs: engine.clockCorrection.newestSyncedMs() });
    return await work({ engine, now: clock.now(), loaded, findFileFaults: () => store.faults() });
  } finally {
    store.close();
  }
}
