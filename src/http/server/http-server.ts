import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createOverloadProtection } from './overload.ts';
import { overloadLimits } from './overload-limits.ts';
import { hasExtendedTimeout } from './upload-timeout.ts';

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

/** How often slow readers are looked for, milliseconds. */
const checkIntervalMs = 1_000;

const timers = { nowMs: () => performance.now(), defer: setImmediate };

/**
 * Creates a server that is protected against overload. With `trustProxy` all requests come from one proxy, and its
 * clients are told apart by their forwarded addresses.
 */
export function createHttpServer(listener: RequestListener, { trustProxy = false } = {}): HttpServer {
  const overload = createOverloadProtection({ listener, trustProxy, ...timers });
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeaderSize, maxHeadersCount } =
    overloadLimits.parser;
  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize,
      // Small boards build their requests by hand and omit the header.
      requireHostHeader: false,
    },
    overload.addRequest,
  );
  server.maxHeadersCount = maxHeadersCount;
  server.on('connection', overload.addConnection);
  const checks = setInterval(overload.closeStalled, checkIntervalMs).unref();
  server.once('close', () => clearInterval(checks));
  // An `Expect` value other than `100-continue` is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    // Node checks the time of each request only once, so ignoring it here lifts the limit for good.
    if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasExtendedTimeout(socket)) return;
    const response = overload.newestResponse(socket as Socket);
    // The body became invalid after the answer was sent: a second answer would belong to the next request.
    if (response?.headersSent && !response.req.complete) socket.destroy();
    else
      sendUnreadable(
        fault,
        socket,
        response?.headersSent ? {} : (response?.getHeaders() ?? toLegacyHeaders(fault)),
      );
  });
  return { server, close: (withinMs) => closeServer(server, overload.openResponses, withinMs) };
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
  openResponses: () => readonly ServerResponse[],
  withinMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const closeTimer = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(closeTimer);
      resolve();
    });
    for (const response of openResponses()) {
      if (isStream(response)) response.end();
      else if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    server.closeIdleConnections();
  });
}

const isStream = (response: ServerResponse): boolean =>
  String(response.getHeader('Content-Type') ?? '').startsWith('text/event-stream');
