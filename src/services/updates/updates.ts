import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { parseRequest, requestFileName, type UpdateRequest } from '../../core/updates/update-request.ts';
import { emptyState, parseState } from '../../core/updates/update-state.ts';
import {
  noUpdateCheck,
  type UpdateCheckView,
  type UpdatesView,
  viewUpdates,
} from '../../core/updates/updates-view.ts';
import type { InstallTime, UpdatesAdmin } from '../../http/updates-ports.ts';
import { productVersion } from '../../system/product.ts';
import { hasRelease, listReleases, ownReleaseFolder } from '../../system/release-folder.ts';
import { readTextFile, writeDurably } from '../../system/small-files.ts';

/** Looks for new versions once a day, and has them installed. */
export interface UpdateCheck {
  view(): UpdateCheckView;
  /** Rejects with what failed. */
  checkNow(): Promise<void>;
  /** Leaves the request to install the version that is available: now, or in the next quiet hour. */
  install(when: InstallTime): void;
  /** Forgets the installation that a person planned; one by the site's setting stays. */
  cancelPlan(): void;
}

export interface UpdatesOptions {
  /** Where the updater looks for requests. */
  readonly stateDirectory: string;
  /** Null without a check. */
  readonly check: UpdateCheck | null;
  /** The folder with the releases; null for a checkout. */
  readonly folder?: string | null;
  readonly running?: string;
}

/** The versions of this machine for superusers. The updater, which runs as root, does what is asked for here. */
export function createUpdates(options: UpdatesOptions) {
  const { stateDirectory, check, folder = ownReleaseFolder(), running = productVersion() } = options;
  const requestPath = join(stateDirectory, requestFileName);

  function view(): UpdatesView {
    return viewUpdates({
      running,
      isPackage: folder !== null,
      releases: folder === null ? [] : listReleases(folder),
      state: (folder === null ? null : readState(folder)) ?? emptyState,
      request: readRequest(),
      check: check?.view() ?? noUpdateCheck,
    });
  }

  /** Null also while the updater has not taken it, if it is none. */
  const readRequest = (): UpdateRequest | null => parseRequest(readTextFile(requestPath) ?? '');

  /** Throws unless a change of the version may be asked for now. */
  function requireFolder(): string {
    if (folder === null) throw notAPackage();
    return folder;
  }

  function requireIdle(): void {
    const { underWay } = view();
    if (underWay !== null) throw updateRunning(underWay.to);
  }

  return {
    view,
    /** The newest version that is known; null for a checkout. */
    latestVersion: (): string | null =>
      folder === null ? null : (check?.view().available?.version ?? running),
    switchTo(version) {
      const releases = requireFolder();
      const { underWay } = view();
      if (underWay === null && version === running) throw versionRuns(version);
      // During the trial the version before is chosen at once; before that the running one is kept.
      const endsIt = underWay !== null && version === underWay.from;
      if (underWay !== null && !endsIt) throw updateRunning(underWay.to);
      if (!hasRelease(releases, version)) throw releaseNotKept(version);
      // Nothing else has seen the request yet.
      if (underWay?.stage === 'requested') rmSync(requestPath, { force: true });
      else writeRequest(requestPath, { action: 'switch', version });
    },
    install(when) {
      requireFolder();
      if (check === null) throw noAddress();
      requireIdle();
      if (check.view().available === null) throw noNewVersion();
      check.install(when);
    },
    cancelPlan() {
      requireFolder();
      if (check === null) throw noAddress();
      check.cancelPlan();
    },
    async checkNow() {
      requireFolder();
      if (check === null) throw noAddress();
      await check.checkNow();
    },
  } satisfies UpdatesAdmin & { latestVersion(): string | null };
}

/** Leaves a request for the updater, as a file that only this user and root may read; never half of it. */
export const writeRequest = (path: string, request: UpdateRequest): void =>
  writeDurably(path, `${JSON.stringify(request)}\n`);

/** The state that the updater stored; null when there is none. */
export const readState = (folder: string) => parseState(readTextFile(join(folder, 'state.json')) ?? '');

const notAPackage = (): AppError =>
  new AppError('conflict', 'This is not an installed package. It is upgraded by its installer.', {
    reason: { name: 'not_a_package' },
  });

const updateRunning = (version: string): AppError =>
  new AppError('conflict', `The change to version ${version} is under way.`, {
    reason: { name: 'update_running', version },
  });

const versionRuns = (version: string): AppError =>
  new AppError('conflict', `Version ${version} runs already.`, { reason: { name: 'version_runs', version } });

const releaseNotKept = (version: string): AppError =>
  new AppError('conflict', `Version ${version} is not kept on this machine.`, {
    reason: { name: 'release_not_kept', version },
  });

const noNewVersion = (): AppError =>
  new AppError('conflict', 'No new version is known.', { reason: { name: 'no_new_version' } });

const noAddress = (): AppError =>
  new AppError(
    'conflict',
    'No address for new versions is set in the configuration (`updates.manifest_url`).',
    {
      reason: { name: 'no_update_address' },
    },
  );
