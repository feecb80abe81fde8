import { findHiddenCharacter } from '../text/text-rules.ts';
import { isDownloadUrl } from './update-source.ts';
import { compareVersions, isVersion } from './versions.ts';

/** A manifest with long notes in many languages is far smaller; with its signature it fits a request to the updater. */
export const maxManifestBytes = 32_768;
/** Far above the size of a package (36 MB), bytes. */
export const maxPackageBytes = 200_000_000;
const maxNotesLength = 4_000;
const maxLanguages = 20;

/** Processors for which there are packages, by their Debian names. */
const architectures = ['arm64', 'amd64'] as const;

export type Architecture = (typeof architectures)[number];

/** Where a package is, and what it must be. */
export interface PackageSource {
  readonly url: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** The newest version, as its publisher describes it. It counts only with a valid signature over its bytes. */
export interface Manifest {
  /** Grows with each manifest, so that an older one can be refused. */
  readonly serial: number;
  readonly version: string;
  /** Unix milliseconds. */
  readonly releasedMs: number;
  /** What is new, plain text by language; always in English. */
  readonly notes: Readonly<Record<string, string>> & { readonly en: string };
  readonly packages: Readonly<Partial<Record<Architecture, PackageSource>>>;
}

/** Why a manifest is not used. */
export type ManifestRefusal =
  /** It is not signed by the key of the settings. */
  | 'bad_signature'
  /** It is none, or one of another format. */
  | 'unreadable'
  /** A newer one was seen already. */
  | 'older_serial'
  /** Its version is not newer than the one that runs. */
  | 'not_newer'
  /** It has no package for this processor. */
  | 'no_package';

/** The Debian name of a processor as Node.js calls it; null where there is no package. */
export function toArchitecture(processor: string): Architecture | null {
  if (processor === 'x64') return 'amd64';
  return processor === 'arm64' ? 'arm64' : null;
}

/** Parses the text of a manifest; null unless it is exactly one. Never throws. */
export function parseManifest(text: string): Manifest | null {
  if (text.length > maxManifestBytes) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const fields = toFields(value, ['format', 'serial', 'version', 'released_at', 'notes', 'packages']);
  if (fields === null || fields.format !== 1) return null;
  const { serial, version } = fields;
  const releasedMs = parseTime(fields.released_at);
  const notes = parseNotes(fields.notes);
  const packages = parsePackages(fields.packages);
  if (!isCount(serial, Number.MAX_SAFE_INTEGER) || !isVersion(version)) return null;
  if (releasedMs === null || notes === null || packages === null) return null;
  return { serial, version, releasedMs, notes, packages };
}

/** Why a signed manifest is not used here; null when it names a newer version with a package for this processor. */
export function refuseManifest(
  { serial, version, packages }: Manifest,
  here: {
    /** Serial of the newest manifest that was seen. */
    readonly newestSerial: number;
    readonly running: string;
    readonly architecture: Architecture | null;
  },
): Exclude<ManifestRefusal, 'bad_signature' | 'unreadable'> | null {
  if (serial < here.newestSerial) return 'older_serial';
  if (compareVersions(version, here.running) <= 0) return 'not_newer';
  return here.architecture === null || packages[here.architecture] === undefined ? 'no_package' : null;
}

function parseNotes(value: unknown): Manifest['notes'] | null {
  if (!isRecord(value)) return null;
  const notes = Object.entries(value);
  const { en } = value;
  const areTexts = notes.every(([language, text]) => /^[a-z]{2}$/.test(language) && isPlainText(text));
  return areTexts && typeof en === 'string' && notes.length <= maxLanguages
    ? { ...(value as Record<string, string>), en }
    : null;
}

function parsePackages(value: unknown): Manifest['packages'] | null {
  if (!isRecord(value)) return null;
  const packages: Partial<Record<Architecture, PackageSource>> = {};
  for (const [name, source] of Object.entries(value)) {
    const architecture = architectures.find((one) => one === name);
    const parsed = parsePackage(source);
    if (architecture === undefined || parsed === null) return null;
    packages[architecture] = parsed;
  }
  return Object.keys(packages).length === 0 ? null : packages;
}

/** Parses the address, size and checksum of a package; null unless it is exactly that. */
export function parsePackage(value: unknown): PackageSource | null {
  const fields = toFields(value, ['url', 'size', 'sha256']);
  if (fields === null) return null;
  const { url, size, sha256 } = fields;
  if (!isDownloadUrl(url) || !isCount(size, maxPackageBytes)) return null;
  return typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? { url, size, sha256 } : null;
}

function parseTime(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

/** An object with exactly these fields. */
function toFields(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> | null {
  if (!isRecord(value)) return null;
  const isExact =
    Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
  return isExact ? value : null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;

const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxNotesLength && findHiddenCharacter(value, 'lines') === null;
