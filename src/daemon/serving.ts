import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../http/server/http-server.ts';

/** An address that is not there yet, because the network is not, may come; so we ask again. */
const retryMs = 5_000;

/** The web face of the house. */
export interface Serving {
  /** The port really taken; null while the address cannot be had yet. */
  port(): number | null;
  close(withinMs: number): Promise<void>;
  /** Ends every connection; whoever still wants something asks again. */
  hangUp(): void;
}

export interface ServingOptions {
  readonly listener: RequestListener;
  readonly host: string;
  readonly port: number;
  /** Told a sentence when the address cannot be had yet, null when it is. */
  readonly tell: (problem: string | null) => void;
}

/**
 * Listens on the configured address. Rejects when the port is taken or forbidden, which only a person can mend; an
 * address that does not exist yet is asked for again until the network brings it.
 */
export async function startServing({ listener, host, port, tell }: ServingOptions): Promise<Serving> {
  const http = createHttpServer(listener);
  let again: NodeJS.Timeout | undefined;

  const listen = () =>
    new Promise<void>((done, fail) => {
      http.server.once('error', fail);
      http.server.listen({ host, port }, () => {
        http.server.off('error', fail);
        tell(null);
        done();
      });
    });

  const listenOrWait = async (): Promise<void> => {
    try {
      await listen();
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw fault;
      tell(`The address ${host} is not there yet, so the page cannot be seen. Is the network up?`);
      again = setTimeout(() => void listenOrWait().catch((error: Error) => tell(error.message)), retryMs);
    }
  };

  await listenOrWait();
  return {
    port: () => (http.server.address() as AddressInfo | null)?.port ?? null,
    hangUp: () => http.server.closeAllConnections(),
    close: (withinMs) => {
      clearTimeout(again);
      return http.server.listening ? http.close(withinMs) : Promise.resolve();
    },
  };
}
