import { Agent, type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../src/system/monotonic.ts';

/** Where the house is, and the address of this machine a guest comes from. */
export interface Door {
  readonly port: number;
  readonly from: string;
}

/** What an honest guest has seen of a house. */
export interface Visit {
  /** How long each answer took, milliseconds. */
  readonly waitsMs: number[];
  /** Everything that was not answered 200. */
  readonly refusals: string[];
}

/** Asks for the taps every 50 ms, as a page would that knows nothing better, each time on a connection of its own. */
export async function visit({ port, from }: Door, isOpen: () => boolean): Promise<Visit> {
  const waitsMs: number[] = [];
  const refusals: string[] = [];
  while (isOpen()) {
    const beganMs = monotonicMs();
    const answer = await answerOf(request({ port, localAddress: from, path: '/api/taps', agent: false }));
    waitsMs.push(monotonicMs() - beganMs);
    if (answer !== '200') refusals.push(answer);
    await pause(50);
  }
  return { waitsMs, refusals };
}

/** Asks as fast as answers come, over one connection; gives how many came. */
export async function askWithoutRest({ port, from }: Door, isOpen: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answers = 0;
  while (isOpen()) {
    await answerOf(request({ port, localAddress: from, path: '/api/taps', agent }));
    answers++;
  }
  agent.destroy();
  return answers;
}

/** The status of an answer that was read to its end, or the code of what went wrong. */
function answerOf(asked: ClientRequest): Promise<string> {
  return new Promise((done) => {
    asked.on('error', (fault: NodeJS.ErrnoException) => done(fault.code ?? fault.message));
    asked.on('response', (answer) => {
      answer.resume().on('close', () => done(String(answer.statusCode)));
    });
    asked.end();
  });
}

/** Says the beginning, then a byte a second for as long as the house stays to listen. */
export async function dawdle(
  door: Door,
  { begins, then }: { readonly begins: string; readonly then: string },
  isOpen: () => boolean,
): Promise<void> {
  const socket = knock(door);
  socket.write(begins);
  for (let i = 0; isOpen() && !socket.destroyed; i++) {
    socket.write(then[i % then.length]!);
    await pause(1_000);
  }
  socket.destroy();
}

/** Talks without end, as fast as the house takes it; gives the bytes that went out before it was shown the door. */
export async function talkWithoutEnd(door: Door, head: string, isOpen: () => boolean): Promise<number> {
  const socket = knock(door);
  socket.resume();
  socket.write(head);
  const breath = Buffer.from(`10000\r\n${'x'.repeat(0x1_0000)}\r\n`);
  while (isOpen() && !socket.destroyed) {
    if (!socket.write(breath)) await Promise.race([drained(socket), pause(200)]);
  }
  const said = socket.bytesWritten;
  socket.destroy();
  return said;
}

/** Asks for the live stream and never reads it. */
export function stare(door: Door): Socket {
  const socket = knock(door);
  socket.pause();
  socket.write('GET /api/live HTTP/1.1\r\nHost: pi\r\nAccept: text/event-stream\r\n\r\n');
  return socket;
}

/** A connection on which nothing is said yet. */
export function knock({ port, from }: Door): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  return socket;
}

const drained = (socket: Socket) =>
  new Promise<void>((done) => {
    socket.once('drain', done).once('close', () => done());
  });
