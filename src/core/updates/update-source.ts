/** The body of a PEM file with an Ed25519 public key (SPKI, RFC 8410): a fixed start, then the 32 bytes of the key. */
export const updateKeyPattern = '^(?:MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=)?$';

/** Longest address, characters. */
const maxUrlLength = 1_000;

/** Where new versions are looked for, and by whom they must be signed. */
export interface UpdateSource {
  readonly manifestUrl: string;
  /** Ed25519 public key, SPKI in base64. */
  readonly publicKey: string;
}

/** Takes the source from the settings `updates`; null where none, or only half of one, is set. */
export function parseUpdateSource(settings: unknown): UpdateSource | null {
  if (typeof settings !== 'object' || settings === null) return null;
  const { manifest_url: manifestUrl, public_key: publicKey } = settings as Readonly<Record<string, unknown>>;
  if (typeof publicKey !== 'string' || publicKey === '' || !new RegExp(updateKeyPattern).test(publicKey))
    return null;
  return isDownloadUrl(manifestUrl) ? { manifestUrl, publicKey } : null;
}

/**
 * True for an address that may be downloaded from: `https:`, or `http:` of this machine. A query or a user name could identify the bar,
 * so neither is permitted.
 */
export function isDownloadUrl(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > maxUrlLength || !/^https?:\/\/[!-~]+$/.test(text))
    return false;
  if (/[?#@\\]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
