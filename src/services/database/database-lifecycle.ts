import type { Config } from '../../config/schema.ts';
import { AppError } from '../../core/app-error.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import { createMeasuring, type Measuring } from '../../core/measurements.ts';
import { createTaskQueue } from '../../core/task-queue.ts';
import { createEngine } from '../../engine/create-engine.ts';
import { type Engine, type EngineExtensions, type EngineSettings, isFeatureOn } from '../../engine/engine.ts';
import type { EngineExtension } from '../../engine/extension.ts';
import type { Upgrade } from '../../store/database.ts';
import { NewerDatabase, schemaStepsWith } from '../../store/schema/migrations.ts';
import { beginSite, requireDatabase, siteHasBegun } from '../../store/site-files.ts';
import { openStore, type Store } from '../../store/store.ts';
import { randomIds } from '../../system/ids.ts';
import { ownAddresses } from '../../system/own-addresses.ts';
import { productVersion } from '../../system/product.ts';
import { createUpgradeBackup } from '../backups/upgrade-backup.ts';
import type { BaseServices } from '../base-services.ts';
import { measureCommits } from '../measured-work.ts';
import { downgradeAdvice, isDamage, recoveryAdvice } from './damaged-database.ts';

/** Calls of `retryOpen` (one a second) between two attempts to open the database. */
const callsBetweenTries = 5;

/** The extensions of the program, as far as a database and its engine need them. */
interface DatabaseExtensions {
  readonly all: readonly EngineExtension[];
  /** Loads the services of those that are on. */
  load(isOn: (extension: EngineExtension) => boolean): Promise<EngineExtensions>;
}

/** Access to the engine of the database, which may be closed for a while, or replaced by a restore. */
export type DatabaseLifecycle = Awaited<ReturnType<typeof createDatabaseLifecycle>>;

/**
 * Opens, replaces and closes the database. It may be closed for a while: the disk may be full, missing or
 * read-only. Resolves after the first attempt to open it; before an upgrade a backup is made first. `onOpen` runs at each
 * opening; if it throws, the database is closed until the next attempt.
 */
export async function createDatabaseLifecycle(
  options: Pick<BaseServices, 'config' | 'settingsFile' | 'bus' | 'reporters' | 'clock' | 'log'> & {
    readonly onOpen: (engine: Engine) => void;
    /** The extensions of the program, loaded as far as they are on; none by default. */
    readonly extensionHost?: DatabaseExtensions;
    /** The features that the settings file switches; those of `features` unless given. */
    readonly features?: Readonly<Record<string, boolean>>;
    /** Whether this is the demo, which has every feature; default false. */
    readonly isDemo?: boolean;
    /** Told of transactions; nobody unless given. */
    readonly measuring?: Measuring;
    /** Program version and schema; tests pass those of a later program. */
    readonly upgrade?: Upgrade;
  },
) {
  const { config, bus, reporters, clock, log, onOpen, measuring = createMeasuring() } = options;
  const { extensionHost = noExtensions, isDemo = false } = options;
  const { upgrade = { programVersion: productVersion(), steps: schemaStepsWith(extensionHost.all) } } =
    options;
  const settings = {
    ...engineSettings(config),
    features: options.features ?? config.features,
    hasAllFeatures: isDemo,
  };
  const reportProblem = reporters('storing');
  const upgradeBackup = createUpgradeBackup({
    database: config.database,
    settings: options.settingsFile,
    upgrade,
    isEnabled: config.backups.before_upgrade,
    clock,
    log,
    reportWaiting: reportProblem,
    reportMissing: reporters('backups'),
    onEnd: () => void openLater(),
  });
  let open: { readonly engine: Engine; readonly store: Store } | null = null;
  let isOpening = false;
  let callsSinceTry = 0;
  let isReplacing = false;
  let isClosed = false;
  /** The journal of a new site is made while its database cannot be: it must not look like a lost one. */
  let isNewSite = false;
  /** Which backup to restore in place of an unusable database; set once the backups have been listed. */
  let advice: readonly Problem[] = [];

  async function tryToOpen(): Promise<void> {
    if (isClosed || isReplacing || isOpening || open !== null) return;
    let store: Store | null = null;
    isOpening = true;
    try {
      isNewSite ||= beginSite(config.database);
      if (!isNewSite) requireDatabase(config.database);
      if (!upgradeBackup.isReady()) return;
      store = openStore({ file: config.database, upgrade, extensions: extensionHost.all });
      const engine = await openEngine(store);
      if (isClosed || isReplacing) return store.close();
      logKeptOn(engine);
      onOpen(engine);
      open = { engine, store };
      isNewSite = false;
      siteHasBegun(config.database);
      reportProblem([]);
    } catch (cause) {
      if (isDamage(cause)) store?.closeWithoutCheckpoint();
      else store?.close();
      const isRefused = ['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '');
      const unexpected = createProblem(isRefused ? 'database_file_not_opened' : 'database_not_opened');
      const why = toProblems(cause, unexpected);
      const report = () => reportProblem([...why, ...advice, createProblem('counting_goes_on')], cause);
      if (isDamage(cause)) void advise(recoveryAdvice, report);
      else if (cause instanceof NewerDatabase) void advise(downgradeAdvice, report);
      else advice = [];
      report();
    } finally {
      isOpening = false;
    }
  }

  /** Opens a database that could not be opened at first, and tells what waits for its engine. */
  async function openLater(): Promise<void> {
    if (open !== null) return;
    await tryToOpen();
    if (open !== null) bus.publish({ type: 'engine.opened' });
  }

  async function openEngine(store: Store): Promise<Engine> {
    const extensions = await loadExtensions(store);
    return createEngine(
      { store: measureCommits(store, measuring), bus, ids: randomIds, settings },
      extensions,
    );
  }

  /** Tells of features that the settings file switches off and that stay on. */
  function logKeptOn(engine: Engine): void {
    for (const { name, isOn, whyInUse } of engine.site.features.list())
      if (isOn && settings.features[name] === false)
        log.warn(
          { feature: name },
          `the settings file switches ${name} off; it stays on. ${whyInUse?.message ?? ''}`,
        );
  }

  const loadExtensions = (store: Store): Promise<EngineExtensions> =>
    extensionHost.load((extension) => isFeatureOn(store, settings, extension));

  /** Gives the engine the features that are on now; it keeps what it has in memory. */
  async function followFeatures(): Promise<void> {
    const current = open;
    if (current === null) return;
    const { loaded } = await loadExtensions(current.store);
    if (open !== current) return;
    current.engine.useExtensions(loaded);
    bus.publish({ type: 'features.switched' });
  }

  async function advise(find: (database: string) => Promise<Problem>, report: () => void): Promise<void> {
    advice = [await find(config.database)];
    if (open === null && !isReplacing && !isClosed) report();
  }

  const queue = createTaskQueue();
  bus.on('features.changed', () => {
    queue
      .run(followFeatures)
      .catch((err: unknown) => log.error({ err }, 'the features could not be switched'));
  });
  await tryToOpen();
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
      void openLater();
    },
    /**
     * Closes the database, runs `work`, which replaces the file, and opens it again, also when `work` fails.
     * Counting goes on; pours that end meanwhile wait in the journal.
     */
    async replace<T>(work: () => Promise<T>): Promise<T> {
      if (isReplacing) throw new AppError('conflict', 'The database is being replaced already.');
      isReplacing = true;
      bus.publish({ type: 'database.closing' });
      const closing = open;
      open = null;
      closing?.store.close();
      try {
        return await work();
      } finally {
        isReplacing = false;
        await tryToOpen();
        bus.publish({ type: 'database.replaced' });
      }
    },
    /** Closes the database, or aborts the backup that is made before it is opened. */
    close(): Promise<void> {
      isClosed = true;
      const closing = open;
      // Requests that arrive from now on get 503.
      open = null;
      closing?.store.close();
      return upgradeBackup.close();
    },
  };
}

const noExtensions: DatabaseExtensions = {
  all: [],
  load: async () => ({ all: [], loaded: [] }),
};

function engineSettings({ pour, judgement, grants, webhooks }: Config): EngineSettings {
  return {
    minPourTicks: pour.min_ticks,
    minPourMl: pour.min_ml,
    minPourMlPerS: pour.min_ml_per_s,
    maxFlowMlPerS: judgement.max_flow_ml_per_s,
    maxReportedMl: judgement.max_reported_ml,
    allowLocalWebhooks: webhooks.allow_local,
    ownAddresses,
    grants: {
      maxVolumeMl: grants.max_volume_ml,
      maxDurationMs: grants.max_duration_s * 1_000,
      maxIdleMs: grants.max_idle_s * 1_000,
    },
  };
}
