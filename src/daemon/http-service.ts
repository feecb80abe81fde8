import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../http/server/http-server.ts';

/** Interval of attempts to listen on an address that does not exist yet because the network is not up. */
const retryMs = 5_000;

/** The listening HTTP server. */
export interface HttpService {
  /** The port in use; null while the address is not available yet. */
  port(): number | null;
  close(withinMs: number): Promise<void>;
  /** Closes every connection; clients may connect again. */
  disconnectClients(): void;
}

export interface HttpServiceOptions {
  readonly listener: RequestListener;
  readonly host: string;
  readonly port: number;
  /** Called with a sentence while the address is not available yet, with null when it is. */
  readonly reportProblem: (problem: string | null) => void;
}

/**
 * Listens on the configured address. Rejects when the port is taken or forbidden, which only a person can
 * repair; for an address that does not exist yet it tries again until the network is up.
 */
export async function listenWithRetry({
  listener,
  host,
  port,
  reportProblem,
}: HttpServiceOptions): Promise<HttpService> {
  const http = createHttpServer(listener);
  let retryTimer: NodeJS.Timeout | undefined;

  const listen = () =>
    new Promise<void>((done, fail) => {
      http.server.once('error', fail);
      http.server.listen({ host, port }, () => {
        http.server.off('error', fail);
        reportProblem(null);
        done();
      });
    });

  const listenOrRetry = async (): Promise<void> => {
    try {
      await listen();
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw fault;
      reportProblem(
        `The address ${host} does not exist yet, so the page is not available. Is the network up?`,
      );
      retryTimer = setTimeout(
        () => void listenOrRetry().catch((error: Error) => reportProblem(error.message)),
        retryMs,
      );
    }
  };

  await listenOrRetry();
  return {
    port: () => (http.server.address() as AddressInfo | null)?.port ?? null,
    disconnectClients: () => http.server.closeAllConnections(),
    close: (withinMs) => {
      clearTimeout(retryTimer);
      return http.server.listening ? http.close(withinMs) : Promise.resolve();
    },
  };
}
