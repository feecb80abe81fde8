import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A key of a publisher, made for the test. */
export function makeSigningKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    privateKey,
    /** As in the setting `updates.public_key`. */
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

export const signBytes = (bytes: Buffer, key: KeyObject): string => sign(null, bytes, key).toString('base64');

/** The fields of a manifest; `change` replaces some. */
export const manifestFields = (change: Readonly<Record<string, unknown>> = {}) => ({
  format: 1,
  serial: 10,
  version: '2.0.0',
  released_at: '2026-11-20T10:00:00Z',
  notes: { en: 'Faster taps.', de: 'Schnellere Hähne.' },
  packages: {
    arm64: { url: 'https://example.org/tapster.deb', size: 5, sha256: 'a'.repeat(64) },
  },
  ...change,
});

/** A web server on loopback with a package, its manifest and the signature, as a publisher has them. */
export class PackageServer {
  readonly key = makeSigningKey();
  readonly requests: IncomingMessage[] = [];
  package = Buffer.from('the package of version 2.0.0');
  /** Replaces fields of the manifest. */
  change: Readonly<Record<string, unknown>> = {};
  /** Signs in place of the publisher's key. */
  signer: KeyObject = this.key.privateKey;
  /** Answers in place of the files; false: the file is sent. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server: Server;
  readonly #scheme: string;

  private constructor(tls: { readonly key: string; readonly cert: string } | null) {
    const listener: RequestListener = (request, response) => this.#send(request, response);
    this.#server = tls === null ? createServer(listener) : createTlsServer(tls, listener);
    this.#scheme = tls === null ? 'http' : 'https';
  }

  static async start(tls: { readonly key: string; readonly cert: string } | null = null) {
    const server = new PackageServer(tls);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `${this.#scheme === 'https' ? 'https://localhost' : 'http://127.0.0.1'}:${(this.#server.address() as AddressInfo).port}`;
  }

  get source() {
    return { manifestUrl: `${this.url}/manifest.json`, publicKey: this.key.publicKey };
  }

  get manifest(): Buffer {
    const source = {
      url: `${this.url}/tapster.deb`,
      size: this.package.length,
      sha256: createHash('sha256').update(this.package).digest('hex'),
    };
    return Buffer.from(
      JSON.stringify(manifestFields({ packages: { arm64: source, amd64: source }, ...this.change })),
    );
  }

  get signature(): string {
    return signBytes(this.manifest, this.signer);
  }

  /** What the daemon leaves for the updater. */
  get request() {
    const manifest = this.manifest.toString('base64');
    return { action: 'install', manifest, signature: this.signature } as const;
  }

  #send(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request);
    if (this.answer(request, response)) return;
    const bodies: Readonly<Record<string, Buffer | string>> = {
      '/tapster.deb': this.package,
      '/manifest.json': this.manifest,
      '/manifest.json.sig': `${this.signature}\n`,
    };
    const body = bodies[request.url ?? ''];
    if (body === undefined) return void response.writeHead(404).end();
    const tag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === tag) return void response.writeHead(304, { etag: tag }).end();
    response.writeHead(200, { etag: tag }).end(body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
