import { Agent, type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../src/system/monotonic.ts';

/** Where the house is, and the address of this machine a guest comes from. */
export interface ClientAddress {
  readonly port: number;
  readonly from: string;
}

/** What an honest guest has seen of a house. */
export interface PollResult {
  /** How long each answer took, milliseconds. */
  readonly waitsMs: number[];
  /** Everything that was not answered 200. */
  readonly failures: string[];
}

/** Asks for the taps every 50 ms, as a page would that knows nothing better, each time on a connection of its own. */
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

/** Asks as fast as answers come, over one connection; gives how many came. */
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

/** The status of an answer that was read to its end, or the code of what went wrong. */
function sendRequest(clientRequest: ClientRequest): Promise<string> {
  return new Promise((resolve) => {
    clientRequest.on('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message));
    clientRequest.on('response', (answer) => {
      answer.resume().on('close', () => resolve(String(answer.statusCode)));
    });
    clientRequest.end();
  });
}

/** Says the beginning, then a byte a second for as long as the house stays to listen. */
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

/** Talks without end, as fast as the house takes it; gives the bytes that went out before it was shown the door. */
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

/** Asks for the live stream and never reads it. */
export function openUnreadStream(address: ClientAddress): Socket {
  const socket = openConnection(address);
  socket.pause();
  socket.write('GET /api/live HTTP/1.1\r\nHost: pi\r\nAccept: text/event-stream\r\n\r\n');
  return socket;
}

/** A connection on which nothing is said yet. */
export function openConnection({ port, from }: ClientAddress): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  return socket;
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve).once('close', () => resolve());
  });
