import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { createProtectedServer, createServerProtection } from '../../http/server/http-server.ts';
import { overloadLimits } from '../../http/server/overload-limits.ts';

/** Interval of attempts to listen on an address that does not exist yet because the network is not up. */
const retryMs = 5_000;

/** Creates the HTTP server for the configured address. */
export function createHttpService({
  listener,
  trustProxy = false,
  host,
  port,
  reportProblem,
}: {
  readonly listener: RequestListener;
  /** True if a proxy forwards all requests. */
  readonly trustProxy?: boolean;
  readonly host: string;
  readonly port: number;
  /** Called with the problem while the address is not available yet, with none when it is. */
  readonly reportProblem: (problems: readonly Problem[]) => void;
}) {
  const protection = createServerProtection(listener, { trustProxy });
  const http = createProtectedServer(protection);
  let retryTimer: NodeJS.Timeout | undefined;

  const listen = () =>
    new Promise<void>((done, fail) => {
      http.server.once('error', fail);
      http.server.listen({ host, port, backlog: overloadLimits.backlog }, () => {
        http.server.off('error', fail);
        reportProblem([]);
        done();
      });
    });

  const listenOrRetry = async (): Promise<void> => {
    try {
      await listen();
    } catch (fault) {
      if (errorCode(fault) !== 'EADDRNOTAVAIL') throw fault;
      reportProblem([createProblem('address_missing', { host })]);
      retryTimer = setTimeout(
        () => void listenOrRetry().catch((error: unknown) => reportProblem([listenProblem(error)])),
        retryMs,
      );
    }
  };

  /** Why the server cannot listen, which only a person can repair. */
  const listenProblem = (fault: unknown): Problem => {
    const code = errorCode(fault);
    if (code === 'EADDRINUSE') return createProblem('port_taken', { port: String(port) });
    if (code === 'EACCES') return createProblem('port_forbidden', { port: String(port) });
    return createProblem('address_failing', { host, code });
  };

  return {
    /**
     * Listens. Rejects when the port is taken or forbidden, which only a person can repair; for an address that does
     * not exist yet it tries again until the network is up.
     */
    start: listenOrRetry,
    /** For further servers with the same listener and limits. */
    protection,
    /** The port in use; null while the address is not available yet. */
    port: (): number | null => (http.server.address() as AddressInfo | null)?.port ?? null,
    /** Closes every connection; clients may connect again. */
    disconnectClients: () => http.server.closeAllConnections(),
    /** Stops listening; running answers may finish within `withinMs`. */
    close(withinMs: number): Promise<void> {
      clearTimeout(retryTimer);
      return http.server.listening ? http.close(withinMs) : Promise.resolve();
    },
  };
}

const errorCode = (fault: unknown): string => (fault as NodeJS.ErrnoException).code ?? String(fault);
