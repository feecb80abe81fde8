import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { hasExtendedTimeout } from '../body/upload-timeout.ts';
import { limitConnections } from './connection-limits.ts';
import { createFairQueue } from './fair-queue.ts';

/** Status lines for requests that ended incomplete, by Node's error code. */
const unreadableStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A server and its orderly shutdown. */
export interface HttpServer {
  readonly server: Server;
  /** Stops accepting, ends live streams, lets running answers finish, and closes the rest after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/** Creates a server with limits, so that slow, idle or very many clients cannot block the others. */
export function createHttpServer(listener: RequestListener): HttpServer {
  const openResponses = new Set<ServerResponse>();
  const newestResponses = new Map<Duplex, ServerResponse>();
  const handleInTurn = createFairQueue(listener, { nowMs: () => performance.now(), defer: setImmediate });
  const server = createServer(
    {
      // Headers arrive in one or two packets; 10 s covers a poor link.
      headersTimeout: 10_000,
      // 64 KiB over a poor wireless link takes seconds, a picture half a minute.
      requestTimeout: 60_000,
      // Longer than a controller's pause between two pours of a busy hour, shorter than a proxy's time-out.
      keepAliveTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
      // Small boards build their requests by hand and omit the header.
      requireHostHeader: false,
    },
    (request, response) => {
      newestResponses.set(request.socket, response);
      openResponses.add(response);
      response.on('close', () => openResponses.delete(response));
      handleInTurn(request, response);
    },
  );
  // 200 live pages, 20 controllers and a reserve; below the usual limit of 1024 open files.
  limitConnections(server, 500);
  server.on('connection', (socket) => socket.once('close', () => newestResponses.delete(socket)));
  // An `Expect` value other than `100-continue` is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    // Node checks the time of each request only once, so ignoring it here lifts the limit for good.
    if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasExtendedTimeout(socket)) return;
    const response = newestResponses.get(socket);
    // The body became invalid after the answer was sent: a second answer would belong to the next request.
    if (response?.headersSent && !response.req.complete) socket.destroy();
    else
      sendUnreadable(
        fault,
        socket,
        response?.headersSent ? {} : (response?.getHeaders() ?? toLegacyHeaders(fault)),
      );
  });
  return { server, close: (withinMs) => closeServer(server, openResponses, withinMs) };
}

/**
 * Returns the `Deprecation` header for requests to the legacy API. When the request line is lost, because the head was
 * too long or never ended, the header is sent as well.
 */
function toLegacyHeaders({
  code,
  rawPacket,
}: NodeJS.ErrnoException & { rawPacket?: Buffer }): OutgoingHttpHeaders {
  const line = rawPacket?.subarray(0, 200).toString('latin1') ?? '';
  const address = /^[A-Z]+ (?:https?:\/\/[^/ ]*)?(\/\S*)/.exec(line)?.[1];
  const isLegacy =
    address === undefined ? (code ?? '') in unreadableStatuses : /^\/api\/v1(?:[/?]|$)/.test(address);
  return isLegacy ? { deprecation: 'true' } : {};
}

/**
 * Answers a request that is not valid HTTP with an error in JSON and closes the connection. `headers` are those that the
 * handler set before the failure.
 */
function sendUnreadable(
  fault: NodeJS.ErrnoException,
  socket: Duplex,
  headers: OutgoingHttpHeaders = {},
): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = unreadableStatuses[fault.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({
    error: { code: 'BadRequestError', message: 'The request is not valid HTTP.' },
  });
  const headerLines = Object.entries({ 'cache-control': 'no-store', ...headers }).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  const head = [
    `HTTP/1.1 ${status}`,
    ...headerLines,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function closeServer(
  server: Server,
  openResponses: ReadonlySet<ServerResponse>,
  withinMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const closeTimer = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(closeTimer);
      resolve();
    });
    for (const response of openResponses) {
      if (isStream(response)) response.end();
      else if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    server.closeIdleConnections();
  });
}

const isStream = (response: ServerResponse): boolean =>
  String(response.getHeader('Content-Type') ?? '').startsWith('text/event-stream');
