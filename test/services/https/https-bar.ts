import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Moment } from '../../../src/core/clock/moment.ts';
import type { Problem } from '../../../src/core/health/problems.ts';
import { createProtectedServer, createServerProtection } from '../../../src/http/server/http-server.ts';
import { createHttpsServer } from '../../../src/http/server/https-server.ts';
import { createHttpsService, type HttpsServiceOptions } from '../../../src/services/https/https-service.ts';
import { issueCertificates } from '../../../src/services/https/issue-certificates.ts';
import { manualScheduler } from '../../http/live/streams.ts';
import { sendOverTls } from './tls-client.ts';

const hello: RequestListener = (_request, response) => void response.end('beer');

/** A folder with a clock, in which HTTPS can be started several times, beside an HTTP server with the same listener. */
export function createHttpsBar({
  listener = hello,
  ...change
}: Partial<HttpsServiceOptions> & { readonly listener?: RequestListener } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-https-'));
  const closers: (() => unknown)[] = [];
  const problems: (readonly Problem[])[] = [];
  let now: Moment = { monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'b' };
  const own = { addresses: ['192.168.1.5'], hostName: 'bar' };

  return {
    folder,
    own,
    database: join(folder, 'tapster.db'),
    problems: () => (problems.at(-1) ?? []).map(({ code }) => code),
    setClock(changes: Partial<Moment>) {
      now = { ...now, ...changes };
    },
    now: () => now,
    /** Starts HTTP and HTTPS on free ports. */
    async start(options: Partial<HttpsServiceOptions> = {}) {
      const protection = createServerProtection(listener);
      const http = createProtectedServer(protection);
      await new Promise<void>((done) => http.server.listen(0, '127.0.0.1', done));
      const https = createHttpsService({
        createServer: (identity) => createHttpsServer(protection, identity),
        database: join(folder, 'tapster.db'),
        clock: { now: () => now },
        log: { info() {}, warn() {}, error() {} },
        hostName: () => own.hostName,
        addresses: () => own.addresses,
        hasAlias: false,
        issue: issueCertificates,
        host: '127.0.0.1',
        settings: { port: 0, certificate_file: '', key_file: '' },
        scheduler: manualScheduler(),
        reportProblem: (current) => problems.push(current),
        ...change,
        ...options,
      });
      await https.start();
      const close = () => Promise.all([http.close(0), https.close(0)]);
      closers.push(close);
      const httpPort = (http.server.address() as AddressInfo).port;
      return {
        https,
        http,
        close,
        httpUrl: `http://127.0.0.1:${httpPort}/`,
        get url() {
          return `https://127.0.0.1:${https.state().port}/`;
        },
        get authority() {
          return https.state().certificates.authority!.certificate;
        },
        get server() {
          return https.state().certificates.server!.certificate;
        },
        /** Sends a request as a device that trusts the authority. */
        get(path = '', ca?: string) {
          return sendOverTls(this.url + path, { ca: ca ?? this.authority });
        },
        /** Opens a TCP connection to the port of HTTPS, without a handshake. */
        openTcp: () => connect(https.state().port!, '127.0.0.1').on('error', () => {}),
      };
    },
    async remove() {
      for (const close of closers) await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
