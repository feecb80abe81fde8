import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';
import type { EventBus } from '../core/event-bus.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine, EngineSettings } from '../engine/engine.ts';
import { openStore } from '../store/store.ts';
import { randomIds } from '../system/ids.ts';
import { isDamage, recoveryAdvice, rejectEmptyDatabase } from './damaged-database.ts';
import type { ReportProblem } from './health-reporters.ts';

/** How often a ledger that could not be opened is tried again, in calls of `knock` (one a second). */
const callsBetweenTries = 5;

/** The way to the ledger, which may be closed for a while: a disk may be full, away or read-only at the start. */
export interface DatabaseLifecycle {
  /** Null while the ledger cannot be opened. */
  engine(): Engine | null;
  /** The engine, or `unavailable` while there is none. */
  requireEngine(): Engine;
  /** Called about once a second: tries again what did not open. */
  retryOpen(): void;
  /**
   * Closes the door, has `work` put another ledger in the place of this one, and opens it again, whatever came of it.
   * Counting goes on, and what is poured meanwhile waits in the journal.
   */
  replace<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Tries the door at once. `onOpen` is run when it opens; what it throws closes the door again until the next try. */
export function createDatabaseLifecycle(options: {
  readonly config: Config;
  readonly bus: EventBus;
  readonly reportProblem: ReportProblem;
  readonly onOpen: (engine: Engine) => void;
}): DatabaseLifecycle {
  const { config, bus, reportProblem, onOpen } = options;
  let open: { readonly engine: Engine; readonly close: () => void } | null = null;
  let callsSinceTry = 0;
  let isReplacing = false;
  /** How a damaged ledger can be replaced, once the backups have been looked at. */
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
      const why =
        cause instanceof AppError ? cause.message : 'The ledger cannot be opened; the log says why.';
      const report = () =>
        reportProblem(`${why} ${advice}Counting goes on, and what is poured waits beside it.`, cause);
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
    engine: () => open?.engine ?? null,
    requireEngine() {
      if (open === null)
        throw new AppError('unavailable', 'The ledger is not open yet.', {
          reason: { name: 'database_not_open' },
        });
      return open.engine;
    },
    retryOpen() {
      if (isReplacing || open !== null || ++callsSinceTry < callsBetweenTries) return;
      callsSinceTry = 0;
      tryToOpen();
    },
    async replace(work) {
      if (isReplacing) throw new AppError('conflict', 'The ledger is being replaced already.');
      isReplacing = true;
      open?.close();
      open = null;
      try {
        return await work();
      } finally {
        isReplacing = false;
        tryToOpen();
      }
    },
    close() {
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
