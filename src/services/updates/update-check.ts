import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock/moment.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import {
  checkRetryMs,
  isCheckDue,
  isHour,
  maxAutomaticTries,
  mayInstallAlone,
  minutesPerDay,
} from '../../core/updates/check-times.ts';
import { type Architecture, type Manifest, refuseManifest } from '../../core/updates/manifest.ts';
import type { UpdateRequest } from '../../core/updates/update-request.ts';
import type { UpdateSource } from '../../core/updates/update-source.ts';
import type { UpdaterState } from '../../core/updates/update-state.ts';
import type { AvailableUpdate, UpdateCheckView } from '../../core/updates/updates-view.ts';
import { DownloadFault } from '../../system/http-download.ts';
import type { Logger } from '../../system/log/log.ts';
import { readSignedManifest } from '../../system/signed-manifest.ts';
import { fetchManifest } from './fetch-manifest.ts';
import { type CheckFailure, type KeptCheck, readKeptCheck, writeKeptCheck } from './kept-check.ts';

/** The site's settings that concern updates. */
export interface UpdateSettings {
  readonly isEnabled: boolean;
  readonly install: 'ask' | 'quiet_hour';
  /** 0 to 23. */
  readonly hour: number;
  readonly timeZone: string;
}

interface UpdateCheckParts {
  /** Path of the file that is kept in the state directory. */
  readonly file: string;
  readonly source: UpdateSource;
  readonly running: string;
  readonly architecture: Architecture | null;
  readonly clock: Clock;
  /** Null while the database is closed. */
  readonly settings: () => UpdateSettings | null;
  /** The state of the updater; null where there is none, so that nothing can be installed. */
  readonly updater: () => UpdaterState | null;
  /** Leaves a request for the updater. */
  readonly request: (request: UpdateRequest) => void;
  /** True while no tap pours and no valve is open. */
  readonly isIdle: () => boolean;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly random?: () => number;
  /** Certificates of other authorities than the usual ones, PEM. */
  readonly ca?: string;
}

/** Looks for new versions once a day while the site wants it, and asks the updater for them in the quiet hour. */
export function createUpdateCheck(parts: UpdateCheckParts) {
  const { file, source, running, architecture, clock, settings, updater, isIdle, log, ca } = parts;
  const { random = Math.random } = parts;
  const closing = new AbortController();
  let kept: KeptCheck = readKeptCheck(file) ?? {
    format: 1,
    minute: Math.floor(random() * minutesPerDay),
    lastCheckedMs: null,
    failure: null,
    newestSerial: 0,
    manifest: '',
    signature: '',
    planned: null,
    asked: null,
  };
  // The key of the settings may be another one by now.
  let manifest = readSignedManifest(fromBase64(kept.manifest), kept.signature, source.publicKey).manifest;
  let failures = kept.failure === null ? 0 : 1;
  let retryMonoMs = 0;
  let work: Promise<CheckFailure | null> | null = null;

  function keep(changes: Partial<KeptCheck>): void {
    kept = { ...kept, ...changes };
    try {
      writeKeptCheck(file, kept);
    } catch (err) {
      // Checked again after the next start.
      log.error({ err }, 'the result of the update check could not be stored');
    }
  }

  /** The manifest, if it is of use here. */
  function findUsable(): Manifest | null {
    if (manifest === null) return null;
    return refuseManifest(manifest, { newestSerial: kept.newestSerial, running, architecture }) === null
      ? manifest
      : null;
  }

  async function fetchNew(): Promise<CheckFailure | null> {
    const keptSinceMs = manifest !== null && kept.failure === null ? kept.lastCheckedMs : null;
    const fetched = await fetchManifest({ source, keptSinceMs, signal: closing.signal, ca });
    if (fetched === null) return null;
    const signed = readSignedManifest(fetched.manifest, fetched.signature, source.publicKey);
    if (signed.refusal !== null) return { reason: signed.refusal, status: 0 };
    const newestSerial = Math.max(kept.newestSerial, updater()?.manifestSerial ?? 0);
    if (signed.manifest.serial < newestSerial) return { reason: 'older_serial', status: 0 };
    manifest = signed.manifest;
    keep({
      newestSerial: manifest.serial,
      manifest: fetched.manifest.toString('base64'),
      signature: fetched.signature,
    });
    const usable = findUsable();
    if (usable !== null) log.info({ version: usable.version }, 'a new version is available');
    return null;
  }

  /** Resolves to what failed; one check at a time. */
  function check(): Promise<CheckFailure | null> {
    work ??= fetchNew()
      .catch(toFailure)
      .then((failure) => {
        if (closing.signal.aborted) return failure;
        failures = failure === null ? 0 : failures + 1;
        retryMonoMs = clock.now().monoMs + checkRetryMs(failures);
        keep({ lastCheckedMs: Math.round(clock.now().wallMs), failure });
        if (failure !== null) log.warn({ ...failure }, 'new versions could not be looked for');
        return failure;
      })
      .finally(() => {
        work = null;
      });
    return work;
  }

  const logFault = (err: unknown): void => log.error({ err }, 'the update check failed');

  function checkIfDue(): void {
    const now = clock.now();
    // With a wrong clock no certificate is valid.
    if (settings()?.isEnabled !== true || !now.synced || work !== null) return;
    const isDue = isCheckDue(now.wallMs, kept.minute, kept.lastCheckedMs);
    if (failures > 0 ? now.monoMs >= retryMonoMs : isDue) check().catch(logFault);
  }

  /** The version that is installed in the next quiet hour; null without one. */
  function findPlanned(): string | null {
    const chosen = settings();
    const state = updater();
    const version = findUsable()?.version;
    if (chosen === null || state === null || version === undefined) return null;
    if (kept.planned === version) return version;
    const { asked } = kept;
    const isGivenUp = asked?.version === version && asked.times >= maxAutomaticTries;
    const isAutomatic = chosen.isEnabled && chosen.install === 'quiet_hour' && !isGivenUp;
    return isAutomatic && mayInstallAlone(version, state) ? version : null;
  }

  function installIfQuiet(): void {
    const chosen = settings();
    const now = clock.now();
    if (chosen === null || !now.synced || !isHour(now.wallMs, chosen.hour, chosen.timeZone)) return;
    const version = findPlanned();
    const { asked } = kept;
    if (version === null || !isIdle()) return;
    // Once in an hour.
    if (asked !== null && Math.abs(now.wallMs - asked.atMs) < 2 * 3_600_000) return;
    const times = asked?.version === version ? asked.times + 1 : 1;
    keep({ planned: null, asked: { version, times, atMs: Math.round(now.wallMs) } });
    leaveRequest();
  }

  function leaveRequest(): void {
    log.info({ version: manifest?.version }, 'the updater is asked to install a new version');
    parts.request({ action: 'install', manifest: kept.manifest, signature: kept.signature });
  }

  return {
    everyMinute(): void {
      checkIfDue();
      try {
        installIfQuiet();
      } catch (fault) {
        logFault(fault);
      }
    },
    view: (): UpdateCheckView => ({
      hasAddress: true,
      lastCheckedMs: kept.lastCheckedMs,
      problem: kept.failure === null ? null : toProblem(kept.failure, source),
      available: toAvailable(findUsable(), architecture),
      planned: findPlanned(),
    }),
    /** Rejects with what failed. */
    async checkNow(): Promise<void> {
      const failure = await check();
      if (failure !== null) throw new AppError('unavailable', toProblem(failure, source));
    },
    /** Has the version installed that is available: now, or in the next quiet hour. */
    install(when: 'now' | 'quiet_hour'): void {
      const version = findUsable()?.version;
      if (version === undefined) throw new AppError('conflict', 'No new version is known.');
      keep({ planned: when === 'quiet_hour' ? version : null });
      if (when === 'now') leaveRequest();
    },
    cancelPlan(): void {
      keep({ planned: null });
    },
    /** Resolves when no check runs. */
    async whenIdle(): Promise<void> {
      await work;
    },
    async close(): Promise<void> {
      closing.abort();
      await work;
    },
  };
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** Any other error is a fault of this program. */
function toFailure(fault: unknown): CheckFailure {
  if (!(fault instanceof DownloadFault)) throw fault;
  return { reason: fault.kind, status: fault.status };
}

const toProblem = ({ reason, status }: CheckFailure, { manifestUrl }: UpdateSource): Problem =>
  createProblem('update_check_failed', { host: new URL(manifestUrl).host, reason, status });

function toAvailable(manifest: Manifest | null, architecture: Architecture | null): AvailableUpdate | null {
  const source = architecture === null ? undefined : manifest?.packages[architecture];
  if (manifest === null || source === undefined) return null;
  const { version, releasedMs, notes } = manifest;
  return { version, releasedMs, notes, sizeBytes: source.size };
}
