import { reserveBytes } from '../health/disk-reserve.ts';
import type { Manifest, PackageSource } from './manifest.ts';
import type { InstallReason, PackageInstall, UpdaterState } from './update-state.ts';

/** How often an installation is begun, after power cuts too. */
export const maxInstallTries = 5;

/**
 * dpkg unpacks beside the files of the releases that are kept. A package takes about four times its size unpacked
 * (packaging/README.md), which must not grow unnoticed.
 */
const unpackedFactor = 6;

/** Free bytes that the installation of a package needs, with the download and the reserve for drinks. */
export const neededBytes = ({ size }: PackageSource): number =>
  size * (1 + unpackedFactor) + reserveBytes.file;

/** A package that is to be downloaded or installed. */
export type PendingInstall = PackageInstall & { readonly source: PackageSource };

/** The package that is to be downloaded or installed; null without one. */
export function findPendingInstall({ install }: UpdaterState): PendingInstall | null {
  if (install === null || install.phase === 'failed' || install.source === null) return null;
  return { ...install, source: install.source };
}

/** The state once a manifest was accepted: from now on no older one is. */
export function beginInstall(
  state: UpdaterState,
  { serial, version }: Manifest,
  source: PackageSource,
  wallMs: number,
): UpdaterState {
  const install: PackageInstall = {
    version,
    source,
    wallMs,
    phase: 'downloading',
    reason: null,
    detail: '',
    tries: 0,
  };
  return noteSerial({ ...state, install }, serial);
}

/** Older manifests than this one are refused, whether it is used or not. */
export const noteSerial = (state: UpdaterState, serial: number): UpdaterState =>
  serial > state.manifestSerial ? { ...state, manifestSerial: serial } : state;

/** The state once a package could not be installed. */
export function failInstall(
  state: UpdaterState,
  version: string,
  { reason, detail }: { readonly reason: InstallReason; readonly detail: string },
  wallMs: number,
): UpdaterState {
  const install: PackageInstall = {
    version,
    reason,
    detail,
    wallMs,
    phase: 'failed',
    source: null,
    tries: 0,
  };
  return { ...state, install };
}
