import type { ManifestRefusal, PackageSource } from './manifest.ts';

/**
 * A reading of the machine's uptime. A Pi has no clock at its boot, so durations are measured with the time since boot, and
 * two readings are compared only when they are of the same boot.
 */
export interface Uptime {
  readonly bootId: string;
  /** Since the boot, milliseconds. */
  readonly ms: number;
}

/** The steps of an update, in their order; the last two only when the trial has failed. */
export const updatePhases = [
  'checking',
  'backing_up',
  'waiting',
  'switching',
  'trial',
  'switching_back',
  'verifying',
] as const;

export type UpdatePhase = (typeof updatePhases)[number];

/** Why an update ended other than well; `detail` of its result says more. */
export type UpdateReason =
  /** The new program does not start, or refuses settings, libraries or database. */
  | 'check_failed'
  | 'backup_failed'
  | 'release_missing'
  /** The link could not be switched. */
  | 'disk_failed'
  /** It did not answer in time. */
  | 'no_answer'
  /** Another version answered. */
  | 'wrong_version'
  /** It answered, but `/healthz` reported trouble. */
  | 'unhealthy'
  /** It restarted more often than permitted. */
  | 'restarts'
  /** The machine was restarted too often during the trial. */
  | 'power_cuts'
  /** A person asked for it. */
  | 'asked';

/**
 * How an update ended. `done`: `to` runs. `refused`, `cancelled`: `from` ran on all the time. `reverted`: `to` was tried and `from`
 * runs again. `failed`: `from` was started again but does not answer.
 */
export const updateOutcomes = ['done', 'refused', 'cancelled', 'reverted', 'failed'] as const;

/** How the new version does after the switch. */
export interface Trial {
  readonly bootId: string;
  /** Start of the present try, time since boot. */
  readonly startedMs: number;
  /** Number of the present try; each power cut starts another one. */
  readonly tries: number;
  /** Since when it answers well without a gap; null while it does not. */
  readonly okSinceMs: number | null;
  /** When it answered well last. */
  readonly lastOkMs: number | null;
  /** True once it has answered well for long enough. */
  readonly isConfirmed: boolean;
  /** Times of its restarts. */
  readonly restartsMs: readonly number[];
  /** systemd's count of automatic restarts when it was observed last. */
  readonly serviceRestarts: number;
  /** What was wrong when it was observed last. */
  readonly fault: UpdateReason;
  /** More about it, for people. */
  readonly detail: string;
}

/** An update, or a way back, that is under way. */
export interface RunningUpdate {
  readonly kind: UpdateKind;
  readonly from: string;
  readonly to: string;
  readonly phase: UpdatePhase;
  /** Start of the phase. */
  readonly since: Uptime;
  /** True if the version before answered well before the switch; else the new one need not do better. */
  readonly wasHealthy: boolean;
  /** Where the daemon answers, by the settings; known once they were checked. */
  readonly http: HttpAddress | null;
  /** Path of the backup made before the switch. */
  readonly backup: string | null;
  readonly trial: Trial | null;
  /** Why the version before comes back. */
  readonly reason: UpdateReason | null;
  /** More about it, for people; absent without. */
  readonly detail?: string;
}

/** Address of the daemon for programs on this machine. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

export type UpdateKind = 'update' | 'rollback';

/** A version that is to run next. */
export interface UpdateOrder {
  readonly kind: UpdateKind;
  readonly version: string;
}

/** How the last update ended. */
export interface UpdateResult {
  readonly kind: UpdateKind;
  readonly from: string;
  readonly to: string;
  readonly outcome: (typeof updateOutcomes)[number];
  readonly reason: UpdateReason | null;
  /** Output of the program that refused, or what was seen in the trial, if any. */
  readonly detail: string;
  readonly backup: string | null;
  /** Unix milliseconds by the clock of the machine, which may not have been set. */
  readonly wallMs: number;
}

/** Everything that the updater stores. */
export interface UpdaterState {
  readonly format: 1;
  /** The version that ran before the last update that went well; it is kept for the way back. */
  readonly previous: string | null;
  readonly update: RunningUpdate | null;
  readonly next: UpdateOrder | null;
  readonly last: UpdateResult | null;
  /** Serial of the newest manifest that was used; older ones are refused. */
  readonly manifestSerial: number;
  /** The package that is being downloaded or installed, or could not be. */
  readonly install: PackageInstall | null;
}

/** Download and installation of a package; the update starts when dpkg has configured it. */
export interface PackageInstall {
  readonly version: string;
  readonly phase: 'downloading' | 'installing' | 'failed';
  /** Where the package is, and what it must be, by a manifest whose signature was checked; null if the manifest was refused. */
  readonly source: PackageSource | null;
  /** Why it could not be installed; null unless it failed. */
  readonly reason: InstallReason | null;
  /** What failed, for people who look closer. */
  readonly detail: string;
  /** How often it was begun, at most `maxInstallTries`: a disk that loses what is written must not be filled for ever. */
  readonly tries: number;
  /** When it was asked for, or failed: Unix milliseconds by the clock of the machine. */
  readonly wallMs: number;
}

/** Why a package was not installed. */
export type InstallReason =
  | ManifestRefusal
  /** The settings file has no address and key, or other users than root may change it. */
  | 'settings'
  | 'disk_full'
  | 'download_failed'
  | 'wrong_checksum'
  /** apt or dpkg refused, or the trial of the new program did not begin. */
  | 'install_failed'
  /** The machine was restarted too often meanwhile. */
  | 'power_cuts';

export const emptyState: UpdaterState = {
  format: 1,
  previous: null,
  update: null,
  next: null,
  last: null,
  manifestSerial: 0,
  install: null,
};

/** What the trial requires, milliseconds. */
export interface UpdateRules {
  /** The new version must answer well without a gap for this long, */
  readonly okForMs: number;
  /** within this time after the switch; later it may be without a good answer for this long. */
  readonly withinMs: number;
  /** The trial ends after this time. */
  readonly trialMs: number;
  /** Automatic restarts that are permitted during the trial. */
  readonly maxRestarts: number;
  /** How often a trial is started again after a power cut. */
  readonly maxTries: number;
  /** The switch waits this long for idle taps; then running pours are ended and stored by the stop. */
  readonly maxWaitMs: number;
}

export const updateRules: UpdateRules = {
  okForMs: 60_000,
  withinMs: 180_000,
  trialMs: 600_000,
  maxRestarts: 1,
  maxTries: 3,
  maxWaitMs: 900_000,
};

/** Parses the stored state; null for a text that is none, or that a later updater wrote. */
export function parseState(text: string): UpdaterState | null {
  try {
    const state = JSON.parse(text) as UpdaterState;
    return state.format === 1 ? { ...emptyState, ...state } : null;
  } catch {
    return null;
  }
}
