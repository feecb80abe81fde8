import { readTextFile, writeDurably } from '../../system/small-files.ts';

/** Why a check failed. */
export interface CheckFailure {
  readonly reason:
    | 'unreachable'
    | 'status'
    | 'too_large'
    | 'too_slow'
    | 'bad_signature'
    | 'unreadable'
    | 'older_serial';
  /** What the server answered; 0 without a status. */
  readonly status: number;
}

/** What the daemon keeps of its checks. The manifest is checked again whenever it is read. */
export interface KeptCheck {
  readonly format: 1;
  /** Minute of the day (UTC) in which this machine asks. */
  readonly minute: number;
  /** Unix milliseconds; null before the first check. */
  readonly lastCheckedMs: number | null;
  readonly failure: CheckFailure | null;
  /** Serial of the newest manifest that was seen; older ones are refused. */
  readonly newestSerial: number;
  /** Base64; empty for none. */
  readonly manifest: string;
  /** Base64 of the signature's text; empty for none. */
  readonly signature: string;
  /** A version that a person wants in the next quiet hour. */
  readonly planned: string | null;
  /** The version that was asked for last without a person. */
  readonly asked: { readonly version: string; readonly times: number; readonly atMs: number } | null;
}

/** Reads the file; `null` if there is none, or one that this program did not write. */
export function readKeptCheck(path: string): KeptCheck | null {
  try {
    const kept = JSON.parse(readTextFile(path) ?? '') as KeptCheck;
    return kept.format === 1 && typeof kept.manifest === 'string' && typeof kept.signature === 'string'
      ? kept
      : null;
  } catch {
    return null;
  }
}

export const writeKeptCheck = (path: string, kept: KeptCheck): void =>
  writeDurably(path, `${JSON.stringify(kept)}\n`);

/** The file in the state directory. */
export const keptCheckFileName = 'update-check.json';
