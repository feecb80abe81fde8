import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isVersion } from '../core/updates/versions.ts';
import { hasRelease, listReleases } from '../system/release-folder.ts';
import { listNames } from '../system/small-files.ts';
import type { UpdaterFiles } from './files.ts';

export type Releases = ReturnType<typeof createReleases>;

/** The folder with one folder per version and the link `current`, which names the one that runs. */
export function createReleases(folder: string, files: UpdaterFiles) {
  const link = join(folder, 'current');
  const pathOf = (version: string): string => join(folder, version);
  const has = (version: string): boolean => hasRelease(folder, version);

  return {
    folder,
    path: pathOf,
    has,
    /** Complete releases, the newest first. */
    list: (): readonly string[] => listReleases(folder),
    /** The version that the link names; null if there is no such release. */
    current(): string | null {
      try {
        const version = basename(readlinkSync(link));
        return has(version) ? version : null;
      } catch {
        return null;
      }
    },
    /** Adds the release in `payload`. The release that runs is never replaced. */
    add(version: string, payload: string): void {
      if (this.current() === version) return;
      const [path, created, old] = [pathOf(version), `${pathOf(version)}.new`, `${pathOf(version)}.old`];
      files.remove(created);
      try {
        files.copyTree(payload, created);
      } catch (cause) {
        // A half-made release must not fill the disk.
        files.remove(created);
        throw cause;
      }
      if (existsSync(path)) {
        files.remove(old);
        files.rename(path, old);
      }
      files.rename(created, path);
      files.remove(old);
    },
    /** Makes the link name another release. */
    switchTo(version: string): void {
      if (!has(version)) throw new Error(`There is no release ${version} in ${folder}.`);
      if (this.current() !== version) files.replaceLink(link, version);
    },
    /** Deletes all releases except those in `kept`, and what interrupted runs left. */
    removeOthers(kept: ReadonlySet<string>): void {
      for (const name of listNames(folder)) {
        const isLeftover = /^(.+)\.(new|old)$/.test(name) && isVersion(name.replace(/\.(new|old)$/, ''));
        if (isLeftover) files.remove(pathOf(name));
        if (!isVersion(name) || kept.has(name)) continue;
        // A release that is half deleted must not look complete.
        files.rename(pathOf(name), `${pathOf(name)}.old`);
        files.remove(`${pathOf(name)}.old`);
      }
    },
  };
}

/** The version in the package.json of a release or payload. Throws when there is none. */
export function readVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
  if (!isVersion(version)) throw new Error(`${folder} has no valid version.`);
  return version;
}
