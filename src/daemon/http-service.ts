import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../http/server/http-server.ts';

/** An address that is not there yet, because the network is not, may come; so we ask again. */
const retryMs = 5_000;

/** The web face of the house. */
export interface HttpService {
  /** The port really taken; null while the address cannot be had yet. */
  port(): number | null;
  close(withinMs: number): Promise<void>;
  /** Ends every connection; whoever still wants something asks again. */
  disconnectClients(): void;
}

export interface HttpServiceOptions {
  readonly listener: RequestListener;
  readonly host: string;
  readonly port: number;
  /** Told a sentence when the address cannot be had yet, null when it is. */
  readonly reportProblem: (problem: string | null) => void;
}

/**
 * Listens on the configured address. Rejects when the port is taken or forbidden, which only a person can mend; an
 * address that does not exist yet is asked for again until the network brings it.
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
      reportProblem(`The address ${host} is not there yet, so the page cannot be seen. Is the network up?`);
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
