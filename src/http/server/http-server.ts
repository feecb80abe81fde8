import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLegacyAddress, parsedHeadersCount } from './header-limit.ts';
import { createMessageClasses } from './message-classes.ts';
import { createOverloadProtection } from './overload.ts';
import { overloadLimits } from './overload-limits.ts';
import { hasExtendedTimeout } from './upload-timeout.ts';

/** Status lines for requests that ended incomplete, by Node's error code. */
const unreadableStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A server and its orderly shutdown. */
export interface HttpServer<S extends Server | SecureServer = Server> {
  readonly server: S;
  /** Stops accepting, ends live streams, lets running answers finish, and closes the rest after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/** How often slow readers are looked for, milliseconds. */
const checkIntervalMs = 1_000;

const timers = {
  nowMs: () => performance.now(),
  defer: setImmediate,
  // A tick that is requested by a microtask comes after all microtasks.
  afterwards: (work: () => void) => queueMicrotask(() => process.nextTick(work)),
};

const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeaderSize } = overloadLimits.parser;

/** Options of Node's HTTP parser, for each server. */
export const parserOptions = {
  headersTimeout,
  requestTimeout,
  keepAliveTimeout,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize,
  // Small boards build their requests by hand and omit the header.
  requireHostHeader: false,
} as const;

/** The overload protection of one or several servers, which share its limits. */
export type ServerProtection = ReturnType<typeof createServerProtection>;

/**
 * Creates the overload protection of servers that pass their requests to `listener`. With `trustProxy` all requests come
 * from one proxy, and its clients are told apart by their forwarded addresses.
 */
export function createServerProtection(listener: RequestListener, { trustProxy = false } = {}) {
  const overload = createOverloadProtection({ listener, trustProxy, ...timers });
  const checks = setInterval(overload.closeStalled, checkIntervalMs).unref();
  return {
    ...overload,
    /** Classes of the servers' requests and answers. */
    messageClasses: createMessageClasses(),
    stop: () => clearInterval(checks),
  };
}

/** Creates a server of its own protection. */
export const createHttpServer = (
  listener: RequestListener,
  options: { readonly trustProxy?: boolean } = {},
): HttpServer => createProtectedServer(createServerProtection(listener, options));

/** Creates a server that is protected against overload. */
export function createProtectedServer(overload: ServerProtection): HttpServer {
  const server = createServer({ ...parserOptions, ...overload.messageClasses.options }, overload.addRequest);
  server.on('connection', overload.addConnection);
  server.once('close', overload.stop);
  return protect(server, overload);
}

/** Adds what both kinds of servers do with requests that are no valid HTTP, and how they close. */
export function protect<S extends Server | SecureServer>(server: S, overload: ServerProtection) {
  server.maxHeadersCount = parsedHeadersCount;
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
  return {
    server,
    close: (withinMs: number) => closeServer(server, overload.openResponses, withinMs),
  } satisfies HttpServer<S>;
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
  const address = /^[A-Z]+ ((?:https?:\/\/[^/ ]*)?\/\S*)/.exec(line)?.[1];
  const isLegacy = address === undefined ? (code ?? '') in unreadableStatuses : isLegacyAddress(address);
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
  server: Server | SecureServer,
  openResponses: () => readonly ServerResponse[],
  withinMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const closeTimer = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(closeTimer);
      resolve();
    });
    // First: Node takes a connection for idle as soon as its answer is ended, also while the last bytes wait for TLS.
    server.closeIdleConnections();
    const isSecure = 'setSecureContext' in server;
    for (const response of openResponses()) {
      const { socket } = response.req;
      if ('encrypted' in socket !== isSecure) continue;
      if (isStream(response)) response.once('finish', () => socket.end()).end();
      else if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  });
}

const isStream = (response: ServerResponse): boolean =>
  String(response.getHeader('Content-Type') ?? '').startsWith('text/event-stream');
