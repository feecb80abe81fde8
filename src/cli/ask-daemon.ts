import { request } from 'node:http';
import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';

/** A daemon that says nothing for so long hangs, milliseconds. */
const patienceMs = 5_000;

/** More than any answer we ask for, bytes. */
const longestAnswer = 1024 * 1024;

/** What the running daemon answered. */
export interface DaemonAnswer {
  readonly status: number;
  /** The JSON it sent, null when it sent none. */
  readonly body: unknown;
}

export interface DaemonQuestion {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Asks the daemon on this machine over HTTP. Throws `unavailable` when none answers on the configured port. */
export async function askDaemon(http: Config['http'], question: DaemonQuestion): Promise<DaemonAnswer> {
  if (http.port === 0) {
    throw new AppError(
      'unavailable',
      'The configuration leaves the port open; set TAPSTER_PORT to the one the daemon printed.',
    );
  }
  const host = reachable(http.host);
  const address = `${host.includes(':') ? `[${host}]` : host}:${http.port}`;
  try {
    return await exchange(host, http.port, question);
  } catch (cause) {
    throw new AppError('unavailable', `No daemon answers at ${address}. Is it running?`, { cause });
  }
}

/** The address under which a listener on "every address" is reached from its own machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function exchange(host: string, port: number, question: DaemonQuestion): Promise<DaemonAnswer> {
  const text = question.body === undefined ? null : JSON.stringify(question.body);
  return new Promise((done, fail) => {
    const sent = request(
      {
        host,
        port,
        method: question.method,
        path: question.path,
        agent: false,
        timeout: patienceMs,
        headers: {
          Accept: 'application/json',
          ...(text === null
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > longestAnswer) response.destroy(new Error('The answer is too long.'));
        });
        response.on('error', fail);
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, body: readJson(Buffer.concat(chunks).toString('utf8')) }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('It did not answer in time.')));
    sent.on('error', fail);
    sent.end(text);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
