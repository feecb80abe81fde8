import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine, EngineSettings } from '../engine/engine.ts';
import { openStore } from '../store/store.ts';
import { randomIds } from '../system/ids.ts';
import type { BaseServices } from './base-services.ts';
import { isDamage, recoveryAdvice, rejectEmptyDatabase } from './damaged-database.ts';

/** Calls of `retryOpen` (one a second) between two attempts to open the database. */
const callsBetweenTries = 5;

/** Access to the engine of the database, which may be closed for a while, or replaced by a restore. */
export type DatabaseLifecycle = ReturnType<typeof createDatabaseLifecycle>;

/**
 * Opens, replaces and closes the database. It may be closed for a while: the disk may be full, missing or
 * read-only. It is opened at once if possible. `onOpen` runs at each opening; if it throws, the database is
 * closed until the next attempt.
 */
export function createDatabaseLifecycle(
  options: Pick<BaseServices, 'config' | 'bus' | 'reporters'> & {
    readonly onOpen: (engine: Engine) => void;
  },
) {
  const { config, bus, reporters, onOpen } = options;
  const reportProblem = reporters('storing');
  let open: { readonly engine: Engine; readonly close: () => void } | null = null;
  let callsSinceTry = 0;
  let isReplacing = false;
  /** How to replace a damaged database; set once the backups have been listed. */
  let advice = '';

  function tryToOpen(): void {
    let store: ReturnType<typeof openStore> | null = null;
    try {
      rejectEmptyDatabase(config.database);
      store = openStore({ file: config.database });
      const engine = createEngine({ store, bus, ids: randomIds, settings: engineSettings(config) });
      onOpen(engine);
      open = { engine, close: store.close };
      reportProblem(null);
    } catch (cause) {
      if (isDamage(cause)) store?.closeWithoutCheckpoint();
      else store?.close();
      const why = cause instanceof AppError ? cause.message : 'The database cannot be opened; see the log.';
      const report = () =>
        reportProblem(`${why} ${advice}Counting goes on; pours wait in the journal.`, cause);
      if (!isDamage(cause)) advice = '';
      else void adviseOnDamage(report);
      report();
    }
  }

  async function adviseOnDamage(report: () => void): Promise<void> {
    advice = `${await recoveryAdvice(config.database)} `;
    if (open === null && !isReplacing) report();
  }

  tryToOpen();
  return {
    /** Null while the database is closed. */
    engine: (): Engine | null => open?.engine ?? null,
    /** Throws `unavailable` while the database is closed. */
    requireEngine(): Engine {
      if (open === null)
        throw new AppError('unavailable', 'The database is not open yet.', {
          reason: { name: 'database_not_open' },
        });
      return open.engine;
    },
    /** Called about once a second: tries to open a database that is not open. */
    retryOpen(): void {
      if (isReplacing || open !== null || ++callsSinceTry < callsBetweenTries) return;
      callsSinceTry = 0;
      tryToOpen();
    },
    /**
     * Closes the database, runs `work`, which replaces the file, and opens it again, also when `work` fails.
     * Counting goes on; pours that end meanwhile wait in the journal.
     */
    async replace<T>(work: () => Promise<T>): Promise<T> {
      if (isReplacing) throw new AppError('conflict', 'The database is being replaced already.');
      isReplacing = true;
      open?.close();
      open = null;
      try {
        return await work();
      } finally {
        isReplacing = false;
        tryToOpen();
        bus.publish({ type: 'database.replaced' });
      }
    },
    close(): void {
      open?.close();
    },
  };
}

function engineSettings({ judgement, grants, webhooks, upstream }: Config): EngineSettings {
  return {
    maxFlowMlPerS: judgement.max_flow_ml_per_s,
    maxReportedMl: judgement.max_reported_ml,
    allowLocalWebhooks: webhooks.allow_local,
    reportsUpstream: upstream.url !== '',
    grants: {
      maxVolumeMl: grants.max_volume_ml,
      maxDurationMs: grants.max_duration_s * 1_000,
      maxIdleMs: grants.max_idle_s * 1_000,
    },
  };
}
