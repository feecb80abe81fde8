import type { Problem } from '../health/problems.ts';
import type { UpdateRequest } from './update-request.ts';
import {
  type InstallReason,
  type PackageInstall,
  type UpdateKind,
  type UpdateReason,
  type UpdateResult,
  type UpdaterState,
  updatePhases,
} from './update-state.ts';
import { compareVersions } from './versions.ts';

/** Where a change of the version is: first what the daemon asked for, then what the updater does. */
export const updateStages = ['requested', 'downloading', 'installing', 'queued', ...updatePhases] as const;

type UpdateStage = (typeof updateStages)[number];

/** A change of the version that is asked for or under way. */
export interface UpdateUnderWay {
  readonly kind: UpdateKind;
  readonly from: string;
  readonly to: string;
  readonly stage: UpdateStage;
  /** Whether it can be ended before another version runs, by asking for the version that runs. */
  readonly canCancel: boolean;
  /** True when the version that ran before was asked for meanwhile. */
  readonly isEnding: boolean;
}

/** How the last change of the version ended. */
export interface LastUpdate extends Pick<UpdateResult, 'from' | 'to' | 'outcome' | 'detail'> {
  readonly kind: UpdateKind;
  /** Why it did not go well, or why its package was not installed; null if it went well. */
  readonly reason: UpdateReason | InstallReason | null;
  /** Unix milliseconds by the clock of the machine, which may not have been set. */
  readonly atMs: number;
}

/** A newer version, as its signed manifest describes it. */
export interface AvailableUpdate {
  readonly version: string;
  readonly releasedMs: number;
  /** What is new, plain text by language; English always. */
  readonly notes: Readonly<Record<string, string>>;
  /** Size of the download, bytes. */
  readonly sizeBytes: number;
}

/** The check for new versions. */
export interface UpdateCheckView {
  /** Whether the configuration has an address to ask. */
  readonly hasAddress: boolean;
  /** Unix milliseconds; null before the first one. */
  readonly lastCheckedMs: number | null;
  /** Why the last one failed; null when it succeeded. */
  readonly problem: Problem | null;
  /** Null while no newer version is known. */
  readonly available: AvailableUpdate | null;
  /** The version that is installed in the next quiet hour; null without one. */
  readonly planned: string | null;
}

/** A check that is not set up. */
export const noUpdateCheck: UpdateCheckView = {
  hasAddress: false,
  lastCheckedMs: null,
  problem: null,
  available: null,
  planned: null,
};

/** What superusers see of updates. */
export interface UpdatesView {
  /** The version that answers. */
  readonly running: string;
  /** False for a checkout, which is upgraded by its installer. */
  readonly isPackage: boolean;
  /** The other versions that are kept, the newest first. */
  readonly kept: readonly string[];
  readonly underWay: UpdateUnderWay | null;
  readonly last: LastUpdate | null;
  readonly check: UpdateCheckView;
}

/** Puts together what superusers see. */
export function viewUpdates(facts: {
  readonly running: string;
  readonly isPackage: boolean;
  readonly releases: readonly string[];
  readonly state: UpdaterState;
  /** What the daemon asked for and the updater has not taken yet. */
  readonly request: UpdateRequest | null;
  readonly check: UpdateCheckView;
}): UpdatesView {
  const { running, isPackage, releases, state, check } = facts;
  const { install, last } = state;
  return {
    running,
    isPackage,
    kept: releases.filter((version) => version !== running),
    underWay: findUnderWay(facts),
    last: findLast(running, last, install),
    check,
  };
}

function findUnderWay({
  running,
  state: { update, next, install },
  request,
  check,
}: Parameters<typeof viewUpdates>[0]): UpdateUnderWay | null {
  if (update !== null) {
    const { from, to, phase } = update;
    const canCancel = phase === 'checking' || phase === 'backing_up' || phase === 'waiting';
    const isEnding = request?.action === 'switch' && request.version === from;
    return { ...underWay(from, to, phase, canCancel), isEnding };
  }
  if (install !== null && install.phase !== 'failed')
    return underWay(running, install.version, install.phase, false);
  if (next !== null && next.version !== running) return underWay(running, next.version, 'queued', true);
  const asked = request?.action === 'switch' ? request.version : check.available?.version;
  if (request === null || asked === undefined || asked === running) return null;
  return underWay(running, asked, 'requested', true);
}

const underWay = (from: string, to: string, stage: UpdateStage, canCancel: boolean): UpdateUnderWay => ({
  kind: toKind(from, to),
  from,
  to,
  stage,
  canCancel,
  isEnding: false,
});

/** What ended last: a package that could not be installed, or a change of the version. */
function findLast(
  running: string,
  last: UpdateResult | null,
  install: PackageInstall | null,
): LastUpdate | null {
  const isInstallLater = install !== null && (last === null || install.wallMs >= last.wallMs);
  if (!isInstallLater || install.phase !== 'failed') return last && toLastUpdate(last);
  const { version: to, reason, detail, wallMs: atMs } = install;
  return { kind: toKind(running, to), from: running, to, outcome: 'refused', reason, detail, atMs };
}

function toLastUpdate({ from, to, outcome, reason, detail, wallMs }: UpdateResult): LastUpdate {
  return { kind: toKind(from, to), from, to, outcome, reason, detail, atMs: wallMs };
}

/** What people call it: a newer version that was left may be chosen again, which is no way back. */
const toKind = (from: string, to: string): UpdateKind =>
  compareVersions(to, from) < 0 ? 'rollback' : 'update';
