import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpdateOrder, UpdaterState } from '../core/updates/update-state.ts';
import { isVersion } from '../core/updates/versions.ts';
import { machineReadings } from '../system/clock-readings.ts';
import { lockInstance } from '../system/single-instance.ts';
import { type UpdaterFiles, updaterFiles } from './files.ts';
import { probeHealth } from './health-probe.ts';
import { createInstaller } from './installer.ts';
import { lockNames, type UpdaterOptions } from './options.ts';
import { createProgram } from './program.ts';
import { createReleases, readVersion } from './releases.ts';
import { takeRequest } from './requests.ts';
import { createServiceManager, type ServiceManager } from './service-manager.ts';
import { readUpdateSource, usualSettings } from './settings-source.ts';
import { createStateFile } from './state-file.ts';
import { findPrevious, runUpdater } from './updater.ts';

/** Another process may be adding or deleting releases for this long, milliseconds. */
const lockWaitMs = 60_000;
const lockPollMs = 100;

/** A wrong call, or something that a person must do first. */
export class UpdaterFault extends Error {}

/** The commands of the updater. */
export function createCommands(
  options: UpdaterOptions,
  out: (line: string) => void,
  /** What touches the machine; tests cut the power there. */
  adapters: {
    readonly files?: UpdaterFiles;
    readonly service?: ServiceManager;
    /** Whether dpkg has unpacked the package completely: else its folder is a mixture of two versions. */
    readonly isUnpacked?: () => boolean;
  } = {},
) {
  const {
    files = updaterFiles,
    service = createServiceManager(options.systemctl),
    isUnpacked = isPackageUnpacked,
  } = adapters;
  const { releases: folder, stateDirectory, payload, rules, pollMs } = options;
  const locks = lockNames(folder);
  const releases = createReleases(folder, files);
  const state = createStateFile(folder, files);

  function leaveOrder(next: UpdateOrder): void {
    state.writeOrder(next);
    service.startUpdater();
  }

  return {
    /** Called by the package manager once the payload is unpacked: adds it as a release and has it tried. */
    async installed(): Promise<void> {
      const version = readVersion(payload);
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const lock = await waitForLock(locks.add);
      try {
        if (releases.current() === version) return out(`Tapster ${version} runs already.`);
        releases.add(version, payload);
        if (releases.current() === null) {
          releases.switchTo(version);
          return out(`Tapster ${version} is the first release.`);
        }
        leaveOrder({ kind: 'update', version });
        out(`Tapster ${version} is installed; it is tried when the taps are idle.`);
      } finally {
        lock.release();
      }
    },

    /** Goes on with what is under way until nothing is left to do. */
    async resume(): Promise<void> {
      const lock = await lockInstance(locks.run);
      if (lock === null) return out('The updater runs already.');
      const readings = machineReadings(options.bootIdFile === null ? {} : { bootIdFile: options.bootIdFile });
      const program = createProgram({
        stateDirectory,
        settings: options.settings === null ? [] : ['--config', options.settings],
      });
      const installer = createInstaller({
        releases,
        files,
        state,
        service,
        log: out,
        processor: options.processor,
        retryMs: options.retryMs,
        readSource: () => readUpdateSource(options.settings ?? usualSettings),
      });
      try {
        const work = () =>
          runUpdater({
            releases,
            state,
            service,
            program,
            installer,
            rules,
            pollMs,
            log: out,
            probe: probeHealth,
            async takeOrders() {
              const left = state.takeOrder();
              const request = takeRequest(stateDirectory, out);
              const asked: UpdateOrder[] =
                request?.action === 'switch' && releases.has(request.version)
                  ? [{ kind: 'rollback', version: request.version }]
                  : [];
              return {
                versions: [...(left === null ? [] : [left]), ...asked],
                install: request?.action === 'install' ? request : null,
              };
            },
            async whileNothingIsAdded(work) {
              const adding = await waitForLock(locks.add);
              try {
                work();
              } finally {
                adding.release();
              }
            },
            now: () => ({
              uptime: { bootId: readings.bootId, ms: readings.uptimeMs() },
              wallMs: readings.wallMs(),
            }),
            sleep: (ms) => sleep(ms),
          });
        await work();
        // Left while the last step ended: starting a service that still runs does nothing.
        while (state.readOrder() !== null) await work();
      } finally {
        lock.release();
      }
    },

    /** Has another release run: the named one, else the one before. */
    rollback(version: string | undefined): void {
      if (version !== undefined && !isVersion(version)) throw new UpdaterFault(`"${version}" is no version.`);
      const target = version ?? findPrevious(state.read(), releases);
      if (target === null) throw new UpdaterFault('There is no other release to go back to.');
      if (target === releases.current()) throw new UpdaterFault(`Tapster ${target} runs already.`);
      if (!releases.has(target)) {
        throw new UpdaterFault(
          `There is no release ${target}; there are ${releases.list().join(', ') || 'none'}.`,
        );
      }
      leaveOrder({ kind: 'rollback', version: target });
      out(`Going back to Tapster ${target} as soon as it was checked and the taps are idle.`);
    },

    /** Has a version tried again that was refused or taken back; its files are kept, or in the package's folder. */
    async retry(version: string): Promise<void> {
      if (!releases.has(version) && !(hasPayload(payload, version) && isUnpacked())) {
        throw new UpdaterFault(
          `The files of version ${version} are not on this machine any more. Install its package again: sudo apt install ./tapster_${version}_….deb`,
        );
      }
      const lock = await waitForLock(locks.add);
      try {
        if (!releases.has(version)) releases.add(version, payload);
        leaveOrder({ kind: 'update', version });
      } finally {
        lock.release();
      }
      out(
        `Tapster ${version} is tried again as soon as it was checked and the taps are idle. How it goes: tapster update status`,
      );
    },

    /** What is installed and how the last update went. */
    status: (): {
      readonly current: string | null;
      readonly releases: readonly string[];
      readonly state: UpdaterState;
    } => ({
      current: releases.current(),
      releases: releases.list(),
      state: state.read(),
    }),
  };
}

function hasPayload(payload: string, version: string): boolean {
  try {
    return readVersion(payload) === version && existsSync(join(payload, 'dist', 'main.js'));
  } catch {
    return false;
  }
}

function isPackageUnpacked(): boolean {
  const { stdout } = spawnSync('dpkg-query', ['-s', 'tapster'], { encoding: 'utf8', timeout: 60_000 });
  return /^Status: \w+ ok installed$/m.test(stdout ?? '');
}

async function waitForLock(name: string) {
  for (let waitedMs = 0; waitedMs < lockWaitMs; waitedMs += lockPollMs) {
    const lock = await lockInstance(name);
    if (lock !== null) return lock;
    await sleep(lockPollMs);
  }
  throw new UpdaterFault('Another process is changing the releases; try again in a minute.');
}
