import { maxManifestBytes } from '../../core/updates/manifest.ts';
import type { UpdateSource } from '../../core/updates/update-source.ts';
import { downloadBytes } from '../../system/http-download.ts';
import { maxSignatureLength } from '../../system/signed-manifest.ts';

/** Two small files over the slowest line of a bar, milliseconds each. */
const timeoutMs = 60_000;

const dayMs = 86_400_000;
/** A publisher may send a file that was written some days before. */
const uploadMs = 30 * dayMs;

/**
 * Fetches the manifest and its signature; null when it has not changed since `keptSinceMs`. The request is conditional by a date alone,
 * which this machine rounds to a day: an entity tag that is sent back could identify the machine. Rejects with `DownloadFault`.
 */
export async function fetchManifest({
  source: { manifestUrl },
  keptSinceMs,
  signal,
  ca,
}: {
  readonly source: UpdateSource;
  /** When the manifest that is kept was seen last, Unix milliseconds; null for none. */
  readonly keptSinceMs: number | null;
  readonly signal: AbortSignal;
  readonly ca?: string | undefined;
}): Promise<{ readonly manifest: Buffer; readonly signature: string } | null> {
  const since = keptSinceMs === null ? null : Math.floor((keptSinceMs - uploadMs) / dayMs) * dayMs;
  const options = { timeoutMs, signal, ca };
  const manifest = await downloadBytes({
    ...options,
    url: manifestUrl,
    maxBytes: maxManifestBytes,
    headers: since === null ? {} : { 'if-modified-since': new Date(since).toUTCString() },
  });
  if (manifest.status === 304) return null;
  const signature = await downloadBytes({
    ...options,
    url: `${manifestUrl}.sig`,
    maxBytes: maxSignatureLength,
  });
  return { manifest: manifest.body, signature: signature.body.toString('latin1').trim() };
}
