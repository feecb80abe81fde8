// First: the library needs it when it is loaded.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { permittedNetworks } from '../../core/certificates/certificate-names.ts';
import { toAddressBytes } from '../../core/network/address-rules.ts';
import type { Authority, IssueJob, IssueResult, ServerCertificate } from './issue-jobs.ts';

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signing = { ...curve, hash: 'SHA-256' } as const;
const nameConstraintsId = '2.5.29.30';

/** Tags of DER: a sequence, the permitted subtrees, and the two kinds of names. */
const [sequence, permitted] = [0x30, 0xa0];
const generalName = { dns: 0x82, address: 0x87 } as const;

/** Makes what a job asks for. P-256 and SHA-256, since every phone accepts them and a Pi makes them in milliseconds. */
export async function issueCertificates(job: IssueJob): Promise<IssueResult> {
  const authority = job.authority ?? (await createAuthority(job.newAuthority));
  return { authority, server: await createServerCertificate(authority, job.server) };
}

async function createAuthority({
  name,
  domains,
  fromMs,
  toMs,
}: IssueJob['newAuthority']): Promise<Authority> {
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: createSerial(),
    name: [{ CN: [name] }, { O: ['Tapster'] }],
    notBefore: new Date(fromMs),
    notAfter: new Date(toMs),
    signingAlgorithm: signing,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      // Not critical: Apple rejected certificates where they were. OpenSSL and Chrome apply them in either case.
      new Extension(nameConstraintsId, false, nameConstraints(domains)),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportKey(keys), domains };
}

async function createServerCertificate(
  authority: Authority,
  { names, fromMs, toMs }: IssueJob['server'],
): Promise<ServerCertificate> {
  const issuer = new X509Certificate(authority.certificate);
  const signingKey = await importKey(authority.key);
  const keys = await createKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: createSerial(),
    issuer: issuer.subjectName,
    signingKey,
    subject: [{ CN: [names.dns[0] ?? 'localhost'] }],
    notBefore: new Date(fromMs),
    notAfter: new Date(toMs),
    signingAlgorithm: signing,
    publicKey: keys.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        ...names.dns.map((value) => ({ type: 'dns', value }) as const),
        ...names.addresses.map((value) => ({ type: 'ip', value }) as const),
      ]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportKey(keys), names };
}

const createKeys = () => webcrypto.subtle.generateKey(curve, true, ['sign', 'verify']);

const exportKey = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');

const importKey = (pem: string) =>
  webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), curve, false, ['sign']);

/** A positive number of 127 random bits, in hexadecimal digits. */
function createSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}

/** `NameConstraints` of RFC 5280 with its permitted subtrees. */
function nameConstraints(domains: readonly string[]): Uint8Array<ArrayBuffer> {
  const names = [
    ...domains.map((domain) => der(generalName.dns, Buffer.from(domain, 'ascii'))),
    ...permittedNetworks.map(([address, prefix]) => {
      const bytes = toAddressBytes(address)!;
      return der(generalName.address, Buffer.from([...bytes, ...toMask(prefix, bytes.length)]));
    }),
  ];
  const subtrees = names.map((name) => der(sequence, name));
  return Uint8Array.from(der(sequence, der(permitted, Buffer.concat(subtrees))));
}

/** One element of DER: tag, length and content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const toMask = (prefix: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => 0xff & ~(0xff >> Math.max(0, Math.min(8, prefix - 8 * at))));
