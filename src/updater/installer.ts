import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginInstall,
  failInstall,
  findPendingInstall,
  maxInstallTries,
  neededBytes,
  noteSerial,
  type PendingInstall,
} from '../core/updates/install-steps.ts';
import {
  type PackageSource,
  parseManifest,
  refuseManifest,
  toArchitecture,
} from '../core/updates/manifest.ts';
import type { InstallRequest } from '../core/updates/update-request.ts';
import type { UpdateSource } from '../core/updates/update-source.ts';
import type { InstallReason, UpdaterState } from '../core/updates/update-state.ts';
import { describeInstallFailure } from '../core/updates/update-words.ts';
import { DownloadFault, download } from '../system/http-download.ts';
import { readSignedManifest } from '../system/signed-manifest.ts';
import { readTextFile } from '../system/small-files.ts';
import type { UpdaterFiles } from './files.ts';
import type { Releases } from './releases.ts';
import type { ServiceManager } from './service-manager.ts';
import type { StateFile } from './state-file.ts';

/** A package over the slowest line of a bar, milliseconds. */
const downloadMs = 3_600_000;

/** Names that systemd/tapster-install.service has, too. */
const packageName = join('download', 'tapster.deb');
const logName = 'install.log';
/** The end of the output of apt says what failed. */
const maxDetail = 2_000;

export interface InstallerParts {
  readonly releases: Releases;
  readonly files: UpdaterFiles;
  readonly state: StateFile;
  readonly service: ServiceManager;
  /** Address and key by the settings of root; throws one sentence. */
  readonly readSource: () => UpdateSource;
  /** As Node.js calls it. */
  readonly processor: string;
  readonly retryMs: number;
  readonly log: (message: string) => void;
  /** Free bytes for root on the disk of a folder. */
  readonly freeBytes?: (folder: string) => number;
}

export type Installer = ReturnType<typeof createInstaller>;

class InstallFault extends Error {
  readonly reason: InstallReason;

  constructor(reason: InstallReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Downloads the package that a signed manifest names, and has apt install it. */
export function createInstaller(parts: InstallerParts) {
  const { releases, files, state: file, service, readSource, processor, retryMs, log } = parts;
  const { freeBytes = readFreeBytes } = parts;
  const path = join(releases.folder, packageName);
  const folder = join(releases.folder, 'download');
  const logPath = join(releases.folder, logName);

  /** Resolves once the package is there, complete and durable. */
  async function fetchPackage(source: PackageSource): Promise<void> {
    files.remove(folder);
    const [free, needed] = [freeBytes(releases.folder), neededBytes(source)];
    if (free < needed)
      throw new InstallFault(
        'disk_full',
        `${toMb(free)} MB are free on the disk, and ${toMb(needed)} MB are needed.`,
      );
    const hash = createHash('sha256');
    let size = 0;
    const partial = `${path}.part`;
    await files.createFile(partial, async (append) => {
      await download({
        url: source.url,
        maxBytes: source.size,
        timeoutMs: downloadMs,
        onBytes(bytes) {
          append(bytes);
          hash.update(bytes);
          size += bytes.length;
        },
      });
    });
    if (size !== source.size || hash.digest('hex') !== source.sha256)
      throw new InstallFault('wrong_checksum', `${source.url} is not the package that the manifest names.`);
    files.rename(partial, path);
  }

  /** Resolves when the package is there; the network may be late or away for a while. */
  async function fetchWithRetries(install: PendingInstall): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await fetchPackage(install.source);
      } catch (fault) {
        if (!(fault instanceof DownloadFault)) throw fault;
        const { message } = fault;
        if (tries >= maxInstallTries) throw new InstallFault('download_failed', message);
        log(`The package of ${install.version} could not be downloaded: ${message} It is tried again.`);
        await sleep(retryMs);
      }
    }
  }

  async function installPackage(version: string): Promise<void> {
    files.remove(logPath);
    const isDone = await service.installPackage();
    const output = readTextFile(logPath)?.slice(-maxDetail) ?? '';
    if (!isDone) throw new InstallFault('install_failed', output || 'apt-get failed.');
    // The package's script called `installed`, which left an order.
    if (file.readOrder()?.version !== version && releases.current() !== version)
      throw new InstallFault(
        'install_failed',
        `${output}\nThe package was installed, but not its trial begun.`.trim(),
      );
  }

  /** Performs one phase; throws `InstallFault`. */
  async function perform(state: UpdaterState, install: PendingInstall): Promise<UpdaterState> {
    const { version, source, phase, tries } = install;
    if (tries >= maxInstallTries)
      throw new InstallFault('power_cuts', `It was begun ${tries} times and never ended.`);
    const begun = { ...install, tries: tries + 1 };
    file.write({ ...state, install: begun });
    if (phase === 'installing' && isPackage(path, source)) {
      log(`Installing the package of ${version}.`);
      await installPackage(version);
      return { ...state, install: null };
    }
    log(`Downloading the package of ${version}: ${source.url}`);
    await fetchWithRetries(install);
    return { ...state, install: { ...begun, phase: 'installing' } };
  }

  return {
    /** The state after a request of the daemon; its manifest is checked again with the key of root's settings. */
    accept(state: UpdaterState, request: InstallRequest, wallMs: number): UpdaterState {
      if (findPendingInstall(state) !== null) {
        log('A package is being installed already; the request is not accepted.');
        return state;
      }
      const bytes = Buffer.from(request.manifest, 'base64');
      const claimed = parseManifest(bytes.toString('utf8'));
      const refuse = (reason: InstallReason, detail: string): UpdaterState => {
        const running = releases.current() ?? 'none';
        log(`${describeInstallFailure(claimed?.version ?? 'unknown', running, reason)} ${detail}`.trim());
        return claimed === null ? state : failInstall(state, claimed.version, { reason, detail }, wallMs);
      };
      let key: string;
      try {
        ({ publicKey: key } = readSource());
      } catch (fault) {
        return refuse('settings', (fault as Error).message);
      }
      const { manifest, refusal } = readSignedManifest(bytes, request.signature, key);
      if (refusal !== null) return refuse(refusal, '');
      const architecture = toArchitecture(processor);
      const here = {
        newestSerial: state.manifestSerial,
        running: releases.current() ?? '0.0.0',
        architecture,
      };
      const unusable = refuseManifest(manifest, here);
      if (unusable !== null) return noteSerial(refuse(unusable, ''), manifest.serial);
      return beginInstall(state, manifest, manifest.packages[architecture!]!, wallMs);
    },
    /** Performs the next phase of the installation that is under way. */
    async step(state: UpdaterState, wallMs: () => number): Promise<UpdaterState> {
      const install = findPendingInstall(state);
      if (install === null) return state;
      try {
        return await perform(state, install);
      } catch (fault) {
        const { reason, message: detail } = toInstallFault(fault);
        const running = releases.current() ?? 'none';
        log(`${describeInstallFailure(install.version, running, reason)} ${detail}`.trim());
        return failInstall(state, install.version, { reason, detail }, wallMs());
      }
    },
    /** Deletes what was downloaded, unless it is needed. */
    removeDownload(state: UpdaterState): void {
      if (findPendingInstall(state) === null && existsSync(folder)) files.remove(folder);
    },
  };
}

/** The disk is full or failing; anything else is a fault of this program and thrown again. */
function toInstallFault(fault: unknown): InstallFault {
  if (fault instanceof InstallFault) return fault;
  const { code = '', message } = fault as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'].includes(code)) return new InstallFault('disk_full', message);
  throw fault;
}

/** Read again: what was written before a power cut may not be what is on the disk. */
function isPackage(path: string, { size, sha256 }: PackageSource): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(65_536);
    let total = 0;
    for (let read = readSync(file, buffer); read > 0 && total <= size; read = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read));
      total += read;
    }
    return total === size && hash.digest('hex') === sha256;
  } finally {
    closeSync(file);
  }
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const toMb = (bytes: number): number => Math.ceil(bytes / 1e6);
