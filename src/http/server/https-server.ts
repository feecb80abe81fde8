import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { createHandshakes } from './handshakes.ts';
import { type HttpServer, parserOptions, protect, type ServerProtection } from './http-server.ts';

/** A certificate with its chain and key, in PEM. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** A server over TLS. */
export interface HttpsServer extends HttpServer<Server> {
  /** Uses another certificate for new connections; throws if OpenSSL refuses it. */
  replaceIdentity(identity: TlsIdentity): void;
}

/** How often late handshakes are looked for, milliseconds. */
const checkIntervalMs = 1_000;

/** TLS 1.2 for tablets of ten years ago; older versions are broken. */
const tlsOptions = { minVersion: 'TLSv1.2', honorCipherOrder: true } as const;

/** Creates a server over TLS that shares the limits of an HTTP server. */
export function createHttpsServer(overload: ServerProtection, identity: TlsIdentity): HttpsServer {
  const handshakes = createHandshakes({ nowMs: () => performance.now() });
  const server = createServer(
    { ...parserOptions, ...overload.messageClasses.options, ...tlsOptions, ...toPair(identity) },
    overload.addRequest,
  );
  server.on('connection', handshakes.add);
  server.on('secureConnection', (socket: Socket) => {
    handshakes.complete(socket);
    overload.addConnection(socket);
  });
  // Plain HTTP, an unknown authority or a scanner: the client sees the alert, and the log stays readable.
  server.on('tlsClientError', (_fault, socket) => socket.destroy());
  const checks = setInterval(handshakes.closeLate, checkIntervalMs).unref();
  const { close } = protect(server, overload);
  return {
    server,
    replaceIdentity: (next) => server.setSecureContext({ ...tlsOptions, ...toPair(next) }),
    close(withinMs) {
      clearInterval(checks);
      handshakes.closeAll();
      return close(withinMs);
    },
  };
}

const toPair = ({ certificate: cert, key }: TlsIdentity) => ({ cert, key });
