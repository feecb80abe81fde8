import { createPublicKey, verify } from 'node:crypto';
import {
  type Manifest,
  type ManifestRefusal,
  maxManifestBytes,
  parseManifest,
} from '../core/updates/manifest.ts';

/** Longest text of a signature with line breaks, characters; 64 bytes are 88 in base64. */
export const maxSignatureLength = 200;

/** A manifest that its publisher signed, or why it is not used. */
export type SignedManifest =
  | { readonly manifest: Manifest; readonly refusal: null }
  | { readonly manifest: null; readonly refusal: Extract<ManifestRefusal, 'bad_signature' | 'unreadable'> };

/** Checks the signature (base64) over the exact bytes with an Ed25519 public key, then parses them. Never throws. */
export function readSignedManifest(bytes: Buffer, signature: string, publicKey: string): SignedManifest {
  if (bytes.length > maxManifestBytes) return { manifest: null, refusal: 'unreadable' };
  if (!isSigned(bytes, signature, publicKey)) return { manifest: null, refusal: 'bad_signature' };
  const manifest = parseManifest(bytes.toString('utf8'));
  return manifest === null ? { manifest, refusal: 'unreadable' } : { manifest, refusal: null };
}

function isSigned(bytes: Buffer, signature: string, publicKey: string): boolean {
  const text = signature.trim();
  if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(text, 'base64'));
  } catch {
    return false;
  }
}
