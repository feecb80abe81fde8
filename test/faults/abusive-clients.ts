import { Agent, type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../src/system/clock-readings.ts';

/** The daemon's port, and the loopback address a client connects from. */
export interface ClientAddress {
  readonly port: number;
  readonly from: string;
}

/** What a well-behaved client has measured. */
export interface PollResult {
  /** Duration of each request. */
  readonly waitsMs: number[];
  /** Status or error code of each reply that was not 200. */
  readonly failures: string[];
}

/** Requests the taps every 50 ms, each time on a new connection, like a page without live stream. */
export async function pollTaps({ port, from }: ClientAddress, isRunning: () => boolean): Promise<PollResult> {
  const waitsMs: number[] = [];
  const failures: string[] = [];
  while (isRunning()) {
    const startedMs = monotonicMs();
    const answer = await sendRequest(request({ port, localAddress: from, path: '/api/taps', agent: false }));
    waitsMs.push(monotonicMs() - startedMs);
    if (answer !== '200') failures.push(answer);
    await pause(50);
  }
  return { waitsMs, failures };
}

/** Sends requests back to back over one connection; returns the number of replies. */
export async function requestContinuously(
  { port, from }: ClientAddress,
  isRunning: () => boolean,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answers = 0;
  while (isRunning()) {
    await sendRequest(request({ port, localAddress: from, path: '/api/taps', agent }));
    answers++;
  }
  agent.destroy();
  return answers;
}

/** Sends a request and reads the whole reply; returns its status or the error code. */
function sendRequest(clientRequest: ClientRequest): Promise<string> {
  return new Promise((resolve) => {
    clientRequest.on('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message));
    clientRequest.on('response', (answer) => {
      answer.resume().on('close', () => resolve(String(answer.statusCode)));
    });
    clientRequest.end();
  });
}

/** Sends the start of a request, then one byte a second until the daemon closes the connection. */
export async function sendSlowly(
  address: ClientAddress,
  { head, repeated }: { readonly head: string; readonly repeated: string },
  isRunning: () => boolean,
): Promise<void> {
  const socket = openConnection(address);
  socket.write(head);
  for (let i = 0; isRunning() && !socket.destroyed; i++) {
    socket.write(repeated[i % repeated.length]!);
    await pause(1_000);
  }
  socket.destroy();
}

/** Sends a body without end as fast as the daemon reads it; returns the bytes sent until the connection was closed. */
export async function sendEndlessBody(
  address: ClientAddress,
  head: string,
  isRunning: () => boolean,
): Promise<number> {
  const socket = openConnection(address);
  socket.resume();
  socket.write(head);
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x1_0000)}\r\n`);
  while (isRunning() && !socket.destroyed) {
    if (!socket.write(chunk)) await Promise.race([drained(socket), pause(200)]);
  }
  const sentBytes = socket.bytesWritten;
  socket.destroy();
  return sentBytes;
}

/** Requests the live stream and never reads it. */
export function openUnreadStream(address: ClientAddress): Socket {
  const socket = openConnection(address);
  socket.pause();
  socket.write('GET /api/live HTTP/1.1\r\nHost: pi\r\nAccept: text/event-stream\r\n\r\n');
  return socket;
}

/** Opens a connection without sending anything. */
export function openConnection({ port, from }: ClientAddress): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  return socket;
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve).once('close', () => resolve());
  });
