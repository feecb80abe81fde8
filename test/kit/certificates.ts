import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A text in PEM and the file that holds it. */
interface PemFile {
  readonly file: string;
  readonly text: string;
}

/** A certificate and its key. */
interface KeyPair {
  readonly certificate: PemFile;
  readonly key: PemFile;
}

export interface TestCertificates {
  /** The authority that signed the others. */
  readonly authority: KeyPair;
  /** Of the server `localhost`. */
  readonly server: KeyPair;
  /** Of the client `tapster`. */
  readonly client: KeyPair;
}

/** `req` reads the system's settings unless it is given others. */
const settings = '[req]\ndistinguished_name = name\n[name]\n';

/** Creates keys and certificates for one test run, valid for a day, with OpenSSL 3 (Debian: `openssl`). */
export function createCertificates(): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-certificates-'));
  writeFileSync(join(folder, 'openssl.cnf'), settings);

  const create = (
    name: string,
    subject: string,
    extensions: readonly string[],
    signedBy?: KeyPair,
  ): KeyPair => {
    const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)];
    execFileSync(
      'openssl',
      [
        ...['req', '-config', join(folder, 'openssl.cnf'), '-x509', '-days', '1', '-subj', `/CN=${subject}`],
        ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-out', certificate, '-keyout', key],
        ...extensions.flatMap((extension) => ['-addext', extension]),
        ...(signedBy === undefined ? [] : ['-CA', signedBy.certificate.file, '-CAkey', signedBy.key.file]),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return { certificate: readPem(certificate), key: readPem(key) };
  };

  const authority = create('ca', 'Authority of the tests', ['basicConstraints=critical,CA:TRUE']);
  return {
    authority,
    server: create('server', 'localhost', ['subjectAltName=DNS:localhost'], authority),
    client: create('client', 'tapster', ['extendedKeyUsage=clientAuth'], authority),
  };
}

const readPem = (file: string): PemFile => ({ file, text: readFileSync(file, 'utf8') });
