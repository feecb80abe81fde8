import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config/schema.ts';
import { validityProblem } from '../../core/certificates/own-certificate.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { Scheduler } from '../../http/ports.ts';
import { overloadLimits } from '../../http/server/overload-limits.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import { lastChange, type OwnCertificate, readOwnCertificate } from './own-certificate.ts';
import { type CertificateOptions, createServerCertificates } from './server-certificates.ts';

/** How often names, dates and files are compared, milliseconds: an address by DHCP is in the certificate soon after. */
const checkIntervalMs = 15_000;

/** A certificate with its chain and key, in PEM. */
interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** A server over TLS. */
interface TlsServer {
  readonly server: Server;
  /** Uses another certificate for new connections; throws if OpenSSL refuses it. */
  replaceIdentity(identity: TlsIdentity): void;
  close(withinMs: number): Promise<void>;
}

export interface HttpsServiceOptions extends CertificateOptions {
  /** Creates the server, which does not listen yet. */
  readonly createServer: (identity: TlsIdentity) => TlsServer;
  /** Address to listen on. */
  readonly host: string;
  readonly settings: Pick<Config['https'], 'port' | 'certificate_file' | 'key_file'>;
  readonly scheduler: Scheduler;
  readonly reportProblem: ReportProblem;
}

/** What the page and the command line tell about HTTPS. */
export interface HttpsState {
  /** The port in use; null while nothing is served. */
  readonly port: number | null;
  /** The bar's own certificate, if that is in use. */
  readonly own: OwnCertificate | null;
  /** Tapster's own. */
  readonly certificates: ReturnType<ReturnType<typeof createServerCertificates>['state']>;
  readonly problems: readonly Problem[];
}

export type HttpsService = ReturnType<typeof createHttpsService>;

/**
 * Serves over TLS what the HTTP server serves. Nothing here ends the daemon: a problem is reported, and what a later
 * check can repair is tried again.
 */
export function createHttpsService(options: HttpsServiceOptions) {
  const { createServer, host, settings, clock, scheduler, reportProblem } = options;
  const certificates = createServerCertificates(options);
  let server: TlsServer | null = null;
  let listenFault: Problem | null = null;
  let used: TlsIdentity | null = null;
  let own: { readonly change: string | null; readonly found: OwnCertificate | Problem | null } | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;

  /** The bar's own certificate; read again when its files have changed. */
  function readOwn(): OwnCertificate | Problem | null {
    const { certificate_file: certificateFile, key_file: keyFile } = settings;
    if (certificateFile === '' || keyFile === '') return null;
    const change = lastChange(certificateFile, keyFile);
    if (own === null || change === null || change !== own.change)
      own = { change, found: readOwnCertificate(certificateFile, keyFile) };
    return own.found;
  }

  /** The own certificate if it may be used now, and its problem. */
  function checkOwn(): { readonly usable: OwnCertificate | null; readonly problem: Problem | null } {
    const found = readOwn();
    if (found === null || 'code' in found) return { usable: null, problem: found };
    const now = clock.now();
    const problem = validityProblem(found, now);
    const isUsable = problem === null || problem.code === 'https_certificate_ends';
    return { usable: isUsable ? found : null, problem };
  }

  async function check(force: boolean): Promise<void> {
    // Also beside an own certificate, which may become unusable.
    await certificates.renew(force);
    const identity = checkOwn().usable ?? certificates.state().server;
    if (!isClosed && identity !== null) await use(identity);
    reportProblem(problems());
  }

  async function use(identity: TlsIdentity): Promise<void> {
    if (server === null) return listen(identity);
    if (used?.certificate === identity.certificate) return;
    server.replaceIdentity(identity);
    used = identity;
  }

  async function listen(identity: TlsIdentity): Promise<void> {
    const next = createServer(identity);
    try {
      await new Promise<void>((done, fail) => {
        next.server.once('error', fail);
        next.server.listen({ host, port: settings.port, backlog: overloadLimits.backlog }, () => {
          next.server.off('error', fail);
          done();
        });
      });
      server = next;
      used = identity;
      listenFault = null;
    } catch (fault) {
      await next.close(0);
      listenFault = toListenProblem(fault, host, settings.port);
    }
  }

  /** One check after the other. */
  function checkNow(force = false): Promise<void> {
    const next = (running ?? Promise.resolve()).then(() => check(force)).catch(reportUnexpected);
    running = next;
    return next;
  }

  function reportUnexpected(err: unknown): void {
    options.log.error({ err }, 'HTTPS could not be checked');
    reportProblem([createProblem('https_certificate_failed')]);
  }

  function problems(): readonly Problem[] {
    const { usable, problem } = checkOwn();
    const ownProblems = problem === null ? [] : [problem];
    const listening = listenFault === null ? [] : [listenFault];
    // Problems of Tapster's own certificate do not matter while the bar's is in use.
    return [...listening, ...ownProblems, ...(usable === null ? certificates.state().problems : [])];
  }

  function port(): number | null {
    return (server?.server.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  const stopChecks = scheduler.every(checkIntervalMs, () => void checkNow());
  return {
    /** Makes what is missing and listens; resolves also when that fails. */
    start: () => checkNow(),
    /** Makes a new certificate of the server under the same authority. */
    renewNow: () => checkNow(true),
    /** The port in use; null while nothing is served. */
    port,
    state(): HttpsState {
      return {
        port: port(),
        own: checkOwn().usable,
        certificates: certificates.state(),
        problems: problems(),
      };
    },
    disconnectClients: () => server?.server.closeAllConnections(),
    async close(withinMs: number): Promise<void> {
      isClosed = true;
      stopChecks();
      await server?.close(withinMs);
    },
  };
}

function toListenProblem(fault: unknown, host: string, port: number): Problem {
  const code = (fault as NodeJS.ErrnoException).code ?? String(fault);
  if (code === 'EADDRINUSE') return createProblem('https_port_taken', { port: String(port) });
  if (code === 'EACCES') return createProblem('https_port_forbidden', { port: String(port) });
  return createProblem('https_address_failing', { host, code });
}
