import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Validity } from '../../core/certificates/renewal.ts';
import { makeFolder, restrictToOwner } from '../../store/files.ts';
import { writeDurably } from '../../system/small-files.ts';
import type { Authority, ServerCertificate } from './issue-jobs.ts';

/** Folder of the keys, beside the database; backups do not contain it. */
export const certificatesFolder = (database: string): string => join(dirname(database), 'https');

/** The file of the authority of a database's machine. */
export const authorityFile = (database: string): string =>
  join(certificatesFolder(database), 'authority.json');

/** What a file held: a missing file and a damaged one are made again, one that cannot be read is not replaced. */
export type StoredFile<T> =
  | { readonly kind: 'read'; readonly value: T & Validity }
  | { readonly kind: 'missing' | 'damaged' }
  | { readonly kind: 'unreadable'; readonly fault: unknown };

/** The files of the authority and of the server's certificate. A file holds certificate and key, so that they always fit. */
export function createCertificateFiles(database: string) {
  const folder = certificatesFolder(database);
  const serverFile = join(folder, 'server.json');

  function write(file: string, value: object): void {
    makeFolder(folder);
    restrictToOwner(folder);
    writeDurably(file, JSON.stringify(value));
  }

  return {
    readAuthority: () => readAuthority(database),
    /** The server's certificate; damaged if another authority signed it. */
    readServer(authority: Authority): StoredFile<ServerCertificate> {
      return readPair(serverFile, (value, certificate) => {
        const issuer = new X509Certificate(authority.certificate);
        const isOwn = certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
        return isOwn && isServerCertificate(value) ? value : null;
      });
    },
    writeAuthority: (authority: Authority) => write(authorityFile(database), authority),
    writeServer: (server: ServerCertificate) => write(serverFile, server),
    /** Keeps a damaged file of the authority under another name: devices may trust what is in it. */
    setAsideAuthority: () => renameSync(authorityFile(database), `${authorityFile(database)}.damaged`),
  };
}

/** The authority of a database's machine. */
export const readAuthority = (database: string): StoredFile<Authority> =>
  readPair(authorityFile(database), (value, certificate) =>
    certificate.ca && isAuthority(value) ? value : null,
  );

/** When a certificate begins and ends. */
export const toValidity = ({ validFrom, validTo }: X509Certificate): Validity => ({
  fromMs: Date.parse(validFrom),
  toMs: Date.parse(validTo),
});

/** Reads a file with a certificate and the key that fits. `check` returns the value if the rest of it is right. */
function readPair<T>(
  file: string,
  check: (value: Readonly<Record<string, unknown>>, certificate: X509Certificate) => T | null,
): StoredFile<T> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'ENOENT'
      ? { kind: 'missing' }
      : { kind: 'unreadable', fault };
  }
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const certificate = new X509Certificate(String(value.certificate));
    if (!certificate.checkPrivateKey(createPrivateKey(String(value.key)))) return { kind: 'damaged' };
    const checked = check(value, certificate);
    return checked === null
      ? { kind: 'damaged' }
      : { kind: 'read', value: { ...checked, ...toValidity(certificate) } };
  } catch {
    return { kind: 'damaged' };
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isAuthority = (value: object): value is Authority => 'domains' in value && isTexts(value.domains);

function isServerCertificate(value: object): value is ServerCertificate {
  const names: unknown = 'names' in value ? value.names : null;
  if (typeof names !== 'object' || names === null) return false;
  return 'dns' in names && isTexts(names.dns) && 'addresses' in names && isTexts(names.addresses);
}
