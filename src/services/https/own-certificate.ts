import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { maxPemBytes, splitPem } from '../../core/certificates/own-certificate.ts';
import type { Validity } from '../../core/certificates/renewal.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { toValidity } from './certificate-files.ts';

/** The certificate that the bar brings itself, with those that lead to its authority, and its key, in PEM. */
export interface OwnCertificate extends Validity {
  readonly certificate: string;
  readonly key: string;
  readonly names: readonly string[];
}

/** Reads the bar's own certificate and its key, and checks that they fit. */
export function readOwnCertificate(certificateFile: string, keyFile: string): OwnCertificate | Problem {
  const texts = new Map<string, string>();
  for (const file of [certificateFile, keyFile]) {
    const text = readPem(file);
    if (text === null) return createProblem('https_file_unreadable', { file });
    texts.set(file, text);
  }
  return checkOwnCertificate({
    certificateFile,
    certificate: texts.get(certificateFile)!,
    keyFile,
    key: texts.get(keyFile)!,
  });
}

/** Checks texts that should be a chain of certificates and a key. Any text at all may come. */
export function checkOwnCertificate(texts: {
  readonly certificateFile: string;
  readonly certificate: string;
  readonly keyFile: string;
  readonly key: string;
}): OwnCertificate | Problem {
  const [first, ...chain] = splitPem(texts.certificate).map(parseCertificate);
  if (first === undefined || first === null || chain.includes(null))
    return createProblem('https_certificate_invalid', { file: texts.certificateFile });
  const key = parseKey(texts.key);
  if (key === null) return createProblem('https_key_invalid', { file: texts.keyFile });
  if (!first.checkPrivateKey(key)) return createProblem('https_key_mismatch', { file: texts.keyFile });
  return {
    certificate: [first, ...chain].map((certificate) => certificate!.toString()).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    names: toNames(first.subjectAltName ?? ''),
    ...toValidity(first),
  };
}

/** The names in a list such as `DNS:bar.example, IP Address:192.168.1.5`. */
const toNames = (list: string): string[] =>
  [...list.matchAll(/(?:^|, )(?:DNS|IP Address):([^,"]+)/g)].map(([, name]) => name!);

/** When the files were last changed; null when one is missing. */
export function lastChange(...files: readonly string[]): string | null {
  try {
    return files.map((file) => `${statSync(file).mtimeMs} ${statSync(file).size}`).join(' ');
  } catch {
    return null;
  }
}

function readPem(file: string): string | null {
  try {
    return statSync(file).size > maxPemBytes ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

function parseKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
