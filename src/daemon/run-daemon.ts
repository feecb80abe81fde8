import { dirname } from 'node:path';
import { requireKnownFeatures } from '../config/feature-faults.ts';
import { ConfigFault, configExitCode } from '../config/load.ts';
import { extensionNames } from '../extensions/all.ts';
import { createCountingWatchdog } from '../services/monitors/counting-watchdog.ts';
import { sendStatusLine, statusLine } from '../services/monitors/status-line.ts';
import { makeFolder } from '../store/files.ts';
import { beginSite } from '../store/site-files.ts';
import { machineReadings, monotonicMs } from '../system/clock-readings.ts';
import { beginRun, describeExit, type Run } from '../system/last-run.ts';
import { createLog, type Logger } from '../system/log/log.ts';
import { openLogFiles } from '../system/log/log-files.ts';
import type { Listening } from '../system/own-addresses.ts';
import { createSdNotify, type SdNotify, watchdogIntervalMs } from '../system/sd-notify.ts';
import { lockInstance } from '../system/single-instance.ts';
import { loadConfig } from './load-config.ts';
import { startDaemon } from './start-daemon.ts';
import { startFault } from './start-faults.ts';
import { demoBanner } from './startup-banner.ts';

/** When the pulses were not drained for this long, the event loop hangs and the watchdog is no longer fed. */
const hungMs = 5_000;

const isRefusal = (cause: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');

/** Runs the daemon until SIGTERM or SIGINT. Returns the exit code (sysexits) of the process. */
export async function runDaemon({ configPath }: { readonly configPath?: string } = {}): Promise<number> {
  const stop = stopSignal();
  let loaded: ReturnType<typeof loadConfig>;
  try {
    loaded = loadConfig(configPath === undefined ? {} : { path: configPath });
    requireKnownFeatures(loaded, extensionNames);
  } catch (fault) {
    // A file that may not be read has no faults that anybody knows of.
    if (!(fault instanceof ConfigFault) || isRefusal(fault.cause)) throw fault;
    process.stderr.write(`${fault.message}\n`);
    return configExitCode;
  }
  const { config, source, isDemo } = loaded;
  const { log, memory, storeIn, flush } = createLog({ level: config.log.level });
  log.info({ config: source, database: config.database }, 'starting');
  let run: Run | null = null;
  let hasStarted = false;

  try {
    createDatabaseFolder(config.database);
    const lock = await lockInstance(config.database);
    if (lock === null) {
      process.stderr.write(
        `Another Tapster already runs on the database ${config.database}. Stop it first.\n`,
      );
      return 69;
    }
    noteNewSite(config.database);
    storeIn(openLogFiles(config.database));
    run = beginRun({
      database: config.database,
      bootId: machineReadings().bootId,
      stateDirectory: process.env.STATE_DIRECTORY,
    });
    logLastExit(log, run);
    recordCrash(run, { log, flush });
    const settingsFile = isDemo ? null : source;
    const daemon = await startDaemon({
      config,
      settingsFile,
      log,
      memory,
      lastExit: run.previous,
      onDatabaseOpened: () => {
        lock.coverFile().catch((err: unknown) => log.error({ err }, 'the database file cannot be locked'));
      },
    });
    hasStarted = true;
    const port = daemon.port();
    log.info({ port }, 'serving');
    if (isDemo && port !== null) process.stdout.write(`${demoBanner(config.http.host, port)}\n`);
    const systemd = await createSdNotify(process.env, (err) =>
      log.warn({ err }, 'systemd cannot be notified'),
    );
    const { sinceHeartbeatMs, isCounting } = daemon;
    const { mayNotify } = createCountingWatchdog({
      file: `${config.database}.restarted`,
      nowMonoMs: monotonicMs,
      isCounting,
      log,
    });
    const intervalMs = watchdogIntervalMs();
    const stopFeeding = feedWatchdog({ systemd, intervalMs, sinceHeartbeatMs, mayNotify });
    const sources = {
      health: daemon.health,
      listening: () => toListening(config.http.host, daemon.port()),
    };
    systemd.ready(statusLine(sources));
    const stopStatusLine = sendStatusLine(systemd, sources);

    const signal = await stop;
    log.info({ signal }, 'stopping: open pours are ended and stored');
    stopStatusLine();
    systemd.stopping('Stopping: open pours are ended and stored');
    stopFeeding();
    await daemon.close();
    systemd.close();
    run.end('stopped', signal, Date.now());
    lock.release();
    return 0;
  } catch (fault) {
    const { sentence, exitCode } = startFault(fault, config);
    run?.end(hasStarted ? 'crashed' : 'start_failed', sentence, Date.now());
    log.fatal({ err: fault }, sentence);
    process.stderr.write(`${sentence}\n`);
    return exitCode;
  } finally {
    flush();
  }
}

/** Before any file is made that only a site with a database has. */
function noteNewSite(database: string): void {
  try {
    beginSite(database);
  } catch {
    // A folder that may not be read: the database reports it.
  }
}

const toListening = (host: string, port: number | null): Listening | null =>
  port === null ? null : { host, port };

function createDatabaseFolder(database: string): void {
  try {
    makeFolder(dirname(database));
  } catch {
    // The database reports it.
  }
}

function logLastExit(log: Logger, { previous }: Run): void {
  if (previous === null) return;
  const isUsual = previous.kind === 'stopped';
  log[isUsual ? 'info' : 'warn'](
    { exit: previous.kind },
    `the end of the last run: ${describeExit(previous)}`,
  );
}

/** Stores an exception that nothing catches, before it ends the process. */
function recordCrash(run: Run, { log, flush }: { readonly log: Logger; readonly flush: () => void }): void {
  process.on('uncaughtExceptionMonitor', (fault: unknown) => {
    log.fatal({ err: fault }, 'crashed');
    run.end('crashed', formatFault(fault), Date.now());
    flush();
  });
}

/** The error with its first source positions. */
function formatFault(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const places = [...(fault.stack ?? '').matchAll(/([\w-]+\.(?:js|ts)):(\d+):\d+/g)].slice(0, 4);
  return [`${fault.name}: ${fault.message}`, ...places.map(([, file, line]) => `${file}:${line}`)].join(' ');
}

/** Resolves at the first SIGTERM or SIGINT; the second one kills the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      // SIGKILL, because process.exit waits for a read that hangs in the kernel.
      if (isStopping) process.kill(process.pid, 'SIGKILL');
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/**
 * Feeds systemd's watchdog every `intervalMs` while the event loop runs, the pulses are drained and `mayNotify` permits it;
 * null without a watchdog. Disk and network are not checked: a restart would repair neither and lose what waits.
 * Returns a function that stops it.
 */
export function feedWatchdog(options: {
  readonly systemd: Pick<SdNotify, 'isActive' | 'watchdog'>;
  readonly intervalMs: number | null;
  /** Milliseconds since the pulses were last drained. */
  readonly sinceHeartbeatMs: () => number;
  /** Called before each notification of a running loop; false when a restart is to repair the pins. */
  readonly mayNotify: () => boolean;
}): () => void {
  const { systemd, intervalMs, sinceHeartbeatMs, mayNotify } = options;
  if (!systemd.isActive || intervalMs === null) return () => {};
  const timer = setInterval(() => {
    if (sinceHeartbeatMs() < hungMs && mayNotify()) systemd.watchdog();
  }, intervalMs);
  return () => clearInterval(timer);
}
