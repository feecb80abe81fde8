import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import { createFairQueue, type QueueTimers } from './fair-queue.ts';
import { hasTooManyHeaders, refuseHeaders } from './header-limit.ts';
import { overloadLimits } from './overload-limits.ts';
import { isHeld } from './refusals/held-answers.ts';
import { createRefusedConnections } from './refusals/refused-connections.ts';
import { createRequestGate, type RequestGate } from './request-gate.ts';
import { createSlots } from './slots.ts';
import { closeStalled, limitUnreadBytes, type Reader } from './slow-readers.ts';
import { hasExtendedTimeout } from './upload-timeout.ts';

/** Answers in progress below which the unread bytes are not summed, since a few cannot exceed the limit. */
const fewAnswers = 8;

/** Runs work in the turn of a connection's address. */
const turnsBySocket = new WeakMap<Socket, (work: () => void) => void>();

/** Runs a part of the work on an answer when it is the turn of its client's address. */
export function inTurn({ socket }: ServerResponse, work: () => void): void {
  const run = socket === null ? undefined : turnsBySocket.get(socket);
  if (run === undefined) work();
  else run(work);
}

/** A request and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** True once the application has the request. */
  isStarted: boolean;
}

interface Connection extends Reader {
  readonly socket: Socket;
  /** IPv6 addresses are grouped by /56, since one subscriber has a whole prefix. */
  address: string;
  readonly gate: RequestGate;
  /** Requests whose answers are not yet sent, oldest first; only the first is started. */
  readonly exchanges: Exchange[];
  /** The answer to the newest request, until it is sent and its request is complete. */
  newestResponse: ServerResponse | null;
}

/** Options of the overload protection. */
interface OverloadOptions extends QueueTimers {
  readonly listener: RequestListener;
  /** True if a proxy forwards all requests: its clients' addresses are in `X-Forwarded-For`. */
  readonly trustProxy: boolean;
  readonly limits?: Pick<typeof overloadLimits, 'maxUnreadBytes' | 'maxUnreadMs'> & {
    readonly connections: { readonly total: number; readonly perAddress: number };
  };
}

/**
 * Protects the process against any number of clients that connect, send and read as they like:
 * - connections are limited in total and per address; a new one replaces one that waits for its client (`slots.ts`);
 * - of each connection one request is read and answered at a time (`request-gate.ts`);
 * - addresses are served in turn, in short slices of time (`fair-queue.ts`);
 * - unread answers are limited in bytes and in time (`slow-readers.ts`).
 * Live streams, long polls, uploads and exports have their own slots. All limits are in `overload-limits.ts`.
 */
export function createOverloadProtection({
  listener,
  trustProxy,
  limits = overloadLimits,
  ...timers
}: OverloadOptions) {
  const connections = new Map<Socket, Connection>();
  const turns = createFairQueue(timers);
  const refused = createRefusedConnections(timers);
  let openExchanges = 0;
  const { total, perAddress } = limits.connections;
  // All connections have the proxy's address: only the total counts.
  const slots = createSlots<Connection>(
    { total, perAddress: trustProxy ? total : perAddress },
    {
      isEvictable: waitsForClient,
      isKept: ({ socket }) => isHeld(socket),
      evict: ({ socket }) => socket.destroy(),
    },
  );

  function addConnection(socket: Socket): void {
    turns.shortenPass();
    const address = toAddressGroup(socket.remoteAddress);
    const exchanges: Exchange[] = [];
    // After an answer that closes the connection nothing of it is read.
    const mayParse = () =>
      exchanges.length === 0 ? !socket.writableEnded : exchanges.length === 1 && readsBody(exchanges[0]!);
    const connection: Connection = {
      socket,
      address,
      gate: createRequestGate(socket, mayParse, () => connection.newestResponse?.req.complete === false),
      exchanges,
      newestResponse: null,
      sentBytes: 0,
      progressMs: timers.nowMs(),
    };
    if (!slots.acquire(connection, address)) {
      refused.refuse(socket, address);
      return;
    }
    connections.set(socket, connection);
    turnsBySocket.set(socket, (work) => turns.run(connection.address, work));
    socket.once('close', () => {
      connections.delete(socket);
      slots.release(connection);
      openExchanges -= exchanges.length;
      exchanges.length = 0;
    });
  }

  function addRequest(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket);
    // Parsed from the rest of a packet after the connection was closed.
    if (connection === undefined) return;
    const exchange = { request, response, isStarted: false };
    connection.newestResponse = response;
    openExchanges += 1;
    response.once('close', () => finish(connection, exchange));
    if (connection.exchanges.push(exchange) === 1) schedule(connection, exchange);
  }

  function schedule(connection: Connection, exchange: Exchange): void {
    const { request } = exchange;
    // Of too many headers the one with the address may be missing.
    if (trustProxy && !hasTooManyHeaders(request)) connection.address = forwardedAddress(request);
    turns.run(connection.address, () => start(connection, exchange));
  }

  function start(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange;
    // The client may have disconnected in the meantime.
    if (response.destroyed || connection.socket.destroyed) return;
    if (openExchanges > fewAnswers) limitUnreadBytes(connections.values(), limits.maxUnreadBytes);
    exchange.isStarted = true;
    if (hasTooManyHeaders(request)) refuseHeaders(request, response);
    else listener(request, response as Parameters<RequestListener>[1]);
    if (!request.complete) connection.gate.update();
  }

  function finish(connection: Connection, exchange: Exchange): void {
    const { exchanges, socket } = connection;
    const at = exchanges.indexOf(exchange);
    if (at < 0) return;
    exchanges.splice(at, 1);
    openExchanges -= 1;
    if (exchange.request.complete && connection.newestResponse === exchange.response)
      connection.newestResponse = null;
    if (socket.destroyed || socket.writableEnded) return;
    slots.renew(connection);
    if (exchanges[0] !== undefined && !exchanges[0].isStarted) schedule(connection, exchanges[0]);
    connection.gate.update();
  }

  return {
    /** To be called for each new connection, after Node's own listener. */
    addConnection,
    /** Passes the request to the listener as soon as it is its turn. */
    addRequest,
    /** Closes connections that have not been read for too long, and refused ones. To be called about once a second. */
    closeStalled() {
      closeStalled(connections.values(), timers.nowMs(), limits.maxUnreadMs);
      refused.closeLate();
    },
    /** The answer to the newest request of a connection; null if that request and its answer are complete. */
    newestResponse: (socket: Socket): ServerResponse | null =>
      connections.get(socket)?.newestResponse ?? null,
    /** Answers in progress. */
    openResponses: (): ServerResponse[] =>
      [...connections.values()].flatMap(({ exchanges }) => exchanges.map(({ response }) => response)),
  };
}

const readsBody = ({ isStarted, request }: Exchange): boolean => isStarted && !request.complete;

/** True if the connection may be closed for another one: it is idle, sends or reads slowly, waits for its turn, or is held back. */
function waitsForClient({ socket, exchanges }: Connection): boolean {
  const [current] = exchanges;
  if (current === undefined || !current.isStarted) return true;
  const { request, response } = current;
  if (!request.complete) return !hasExtendedTimeout(socket);
  return response.writableEnded || response.writableNeedDrain || isHeld(socket);
}

/** Returns the address that the proxy in front of us has seen; it appends it to those that its client claims. */
function forwardedAddress({ headers, socket }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  const last = (Array.isArray(forwarded) ? forwarded.join() : (forwarded ?? '')).split(',').at(-1)!.trim();
  return toAddressGroup(last === '' ? socket.remoteAddress : last);
}

/** Groups IPv6 addresses by prefix, since one subscriber has many. */
export const toAddressGroup = (address = ''): string => ipKeyGenerator(address);
