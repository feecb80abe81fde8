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

/** Statuses of requests that ended before they were whole. */
const unreadableStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A server and the polite way to end it. */
export interface HttpServer {
  readonly server: Server;
  /** Takes no more connections, ends live streams, lets running answers finish, and after `withinMs` cuts the rest. */
  close(withinMs: number): Promise<void>;
}

/** A server with bounds, so that slow, idle or countless clients cannot take it from the others. */
export function createHttpServer(listener: RequestListener): HttpServer {
  const openResponses = new Set<ServerResponse>();
  const newestResponses = new Map<Duplex, ServerResponse>();
  const handleInTurn = createFairQueue(listener, { nowMs: () => performance.now(), defer: setImmediate });
  const server = createServer(
    {
      // Headers come in one packet or two; whoever takes longer is not a client.
      headersTimeout: 10_000,
      // 64 KiB over a poor wireless link takes seconds, a picture half a minute.
      requestTimeout: 60_000,
      // Longer than a controller's pause between two pours of a rush, shorter than a proxy's patience.
      keepAliveTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
      // Small boards write their HTTP by hand and leave it out.
      requireHostHeader: false,
    },
    (request, response) => {
      newestResponses.set(request.socket, response);
      openResponses.add(response);
      response.on('close', () => openResponses.delete(response));
      handleInTurn(request, response);
    },
  );
  // Live pages, twenty controllers, and room for a bad day; below the usual limit of 1024 open files.
  limitConnections(server, 500);
  server.on('connection', (socket) => socket.once('close', () => newestResponses.delete(socket)));
  // What a client expects beyond `100-continue` is its own affair; the answer is the same.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    // The server looks at each request's time once and no more.
    if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasExtendedTimeout(socket)) return;
    const response = newestResponses.get(socket);
    // The body went bad after its answer was out: a second answer would be taken for that of the next request.
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
 * An old controller is told so whatever becomes of its request, even where the beginning of a head without end is lost
 * and nobody can say any more what it was sent to.
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
 * What is not even HTTP is answered like everything else, and the connection ends there. Where an answer was begun
 * already, it keeps the `headers` it had.
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
    error: { code: 'BadRequestError', message: 'This request cannot be read.' },
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
    const cut = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(cut);
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
