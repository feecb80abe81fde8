import { isVersion } from './versions.ts';

/** The file in the daemon's state directory by which it asks the updater, which runs as root. */
export const requestFileName = 'update-request.json';

/** What the daemon may ask for. The updater trusts none of it: it switches to complete releases and signed packages only. */
export type UpdateRequest =
  /** Runs another release that is kept. */
  | { readonly action: 'switch'; readonly version: string }
  /** Downloads and installs the package that a signed manifest names; both in base64. */
  | { readonly action: 'install'; readonly manifest: string; readonly signature: string };

/** A request to install a package. */
export type InstallRequest = Extract<UpdateRequest, { readonly action: 'install' }>;

/** Parses the text of a request; null unless it is exactly one. */
export function parseRequest(text: string): UpdateRequest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { action, version, manifest, signature, ...rest } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(rest).length > 0) return null;
  if (action === 'switch' && isVersion(version) && manifest === undefined && signature === undefined)
    return { action, version };
  if (action === 'install' && version === undefined && isBase64(manifest) && isBase64(signature))
    return { action, manifest, signature };
  return null;
}

const isBase64 = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
