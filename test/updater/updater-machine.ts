import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InstallRequest } from '../../src/core/updates/update-request.ts';
import type { UpdateSource } from '../../src/core/updates/update-source.ts';
import { updateRules } from '../../src/core/updates/update-state.ts';
import { type UpdaterFiles, updaterFiles } from '../../src/updater/files.ts';
import { createInstaller } from '../../src/updater/installer.ts';
import { ProgramRefused } from '../../src/updater/program.ts';
import { createReleases } from '../../src/updater/releases.ts';
import type { ServiceManager } from '../../src/updater/service-manager.ts';
import { createStateFile } from '../../src/updater/state-file.ts';
import { runUpdater } from '../../src/updater/updater.ts';

/** Without the sync of the whole disk, which takes most of the time. */
export const quickFiles: UpdaterFiles = {
  ...updaterFiles,
  copyTree: (from, to) => cpSync(from, to, { recursive: true }),
};

export class PowerCut extends Error {}

/** Files that fail before or after the change with this number, as if the power were cut there. */
export function filesWithCut(
  cutAt: number,
  isAfter: boolean,
): UpdaterFiles & { readonly changes: () => number } {
  let changes = 0;
  /** Starts a change; the call that is returned ends it. */
  function begin(): () => void {
    const change = changes++;
    // Nothing is written after the cut.
    if (change > cutAt || (change === cutAt && !isAfter)) throw new PowerCut();
    return () => {
      if (change === cutAt) throw new PowerCut();
    };
  }
  const wrap =
    <Args extends unknown[]>(write: (...args: Args) => void) =>
    (...args: Args): void => {
      const end = begin();
      write(...args);
      end();
    };
  return {
    copyTree: wrap(quickFiles.copyTree),
    rename: wrap(updaterFiles.rename),
    replaceLink: wrap(updaterFiles.replaceLink),
    writeFile: wrap(updaterFiles.writeFile),
    remove: wrap(updaterFiles.remove),
    async createFile(path, fill) {
      const end = begin();
      await updaterFiles.createFile(path, fill);
      end();
    },
    changes: () => changes,
  };
}

/** A folder with the release 1.0.0, which runs. */
export function makeReleases() {
  const root = mkdtempSync(join(tmpdir(), 'tapster-updater-'));
  const folder = join(root, 'releases');
  const fill = () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    makeRelease('1.0.0');
    updaterFiles.replaceLink(join(folder, 'current'), '1.0.0');
  };
  function makePayload(version: string): string {
    const payload = join(root, `payload-${version}`);
    mkdirSync(join(payload, 'dist'), { recursive: true });
    writeFileSync(join(payload, 'dist', 'main.js'), `// ${version}`);
    writeFileSync(join(payload, 'package.json'), JSON.stringify({ version }));
    return payload;
  }
  const makeRelease = (version: string): void =>
    createReleases(folder, quickFiles).add(version, makePayload(version));
  fill();
  return {
    folder,
    makePayload,
    makeRelease,
    /** Starts again with 1.0.0 alone. */
    reset: fill,
    order: (version: string, kind: 'update' | 'rollback' = 'update'): void =>
      createStateFile(folder, updaterFiles).writeOrder({ kind, version }),
    readState: () => createStateFile(folder, updaterFiles).read(),
    versions: () => readdirSync(folder).filter((name) => /^\d/.test(name)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type TestReleases = ReturnType<typeof makeReleases>;

/** A machine whose time passes only while the updater sleeps; the daemon is that of the link at its last start. */
export function makeMachine(
  { folder, makePayload }: TestReleases,
  {
    behaves = () => 'ok',
    source,
  }: {
    readonly behaves?: (version: string) => 'ok' | 'trouble' | 'none';
    /** By the settings of root. */
    readonly source?: UpdateSource;
  } = {},
) {
  let ms = 0;
  let boot = 1;
  let running = '1.0.0';
  const link = () => readlinkSync(join(folder, 'current'));
  const machine = {
    link,
    running: () => running,
    pours: 0,
    refuses: null as string | null,
    backups: 0,
    /** What the daemon asks for; taken once. */
    request: null as InstallRequest | null,
    freeBytes: 1e12,
    processor: 'arm64',
    /** How often apt was called. */
    installations: 0,
    /** What apt does: by default it unpacks version 2.0.0 and its script calls `installed`. */
    apt: (files: UpdaterFiles): boolean => {
      createReleases(folder, files).add('2.0.0', makePayload('2.0.0'));
      createStateFile(folder, files).writeOrder({ kind: 'update', version: '2.0.0' });
      return true;
    },
    cutPower(): void {
      boot += 1;
      running = link();
    },
    async resume(files: UpdaterFiles = quickFiles): Promise<void> {
      const releases = createReleases(folder, files);
      const state = createStateFile(folder, files);
      const service: ServiceManager = {
        resetRestarts: () => 0,
        restarts: () => 0,
        restart() {
          running = link();
        },
        startUpdater() {},
        async installPackage() {
          machine.installations += 1;
          return machine.apt(files);
        },
      };
      await runUpdater({
        releases,
        state,
        service,
        program: {
          async check() {
            if (machine.refuses !== null) throw new ProgramRefused(78, machine.refuses);
            return { host: '127.0.0.1', port: 8080 };
          },
          async backUp() {
            machine.backups += 1;
            return `/backups/${machine.backups}`;
          },
        },
        probe: async () => {
          const health = behaves(running);
          return { health, version: health === 'none' ? null : running, pours: machine.pours };
        },
        installer: createInstaller({
          releases,
          files,
          state,
          service,
          processor: machine.processor,
          retryMs: 1,
          log() {},
          freeBytes: () => machine.freeBytes,
          readSource() {
            if (source === undefined) throw new Error('no settings');
            return source;
          },
        }),
        async takeOrders() {
          const { request } = machine;
          machine.request = null;
          return { versions: [state.takeOrder() ?? []].flat(), install: request };
        },
        whileNothingIsAdded: async (work) => work(),
        now: () => ({ uptime: { bootId: `boot-${boot}`, ms }, wallMs: ms }),
        async sleep(duration) {
          ms += duration;
        },
        rules: { ...updateRules, okForMs: 3_000, withinMs: 9_000, trialMs: 12_000, maxWaitMs: 6_000 },
        pollMs: 1_000,
        log() {},
      });
    },
  };
  return machine;
}
