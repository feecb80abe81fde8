import { request } from 'node:http';
import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';

/** A daemon that does not answer within this time hangs, milliseconds. */
const timeoutMs = 5_000;

/** Bound of a response, far above any that is requested here, bytes. */
const maxResponseBytes = 1024 * 1024;

/** The response of the running daemon. */
export interface DaemonResponse {
  readonly status: number;
  /** The parsed JSON, null when the body is no JSON. */
  readonly body: unknown;
}

interface DaemonRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The body, sent as JSON. */
  readonly body?: unknown;
}

/**
 * Sends an HTTP request to the daemon on this machine. Throws `unavailable` when none answers on the
 * configured port.
 */
export async function requestDaemon(
  http: Config['http'],
  daemonRequest: DaemonRequest,
): Promise<DaemonResponse> {
  if (http.port === 0) {
    throw new AppError(
      'unavailable',
      'The configured port is 0, so the system chose one; set TAPSTER_PORT to the port that the daemon printed.',
    );
  }
  const host = toConnectAddress(http.host);
  const address = `${host.includes(':') ? `[${host}]` : host}:${http.port}`;
  try {
    return await sendRequest(host, http.port, daemonRequest);
  } catch (cause) {
    throw new AppError('unavailable', `No daemon answers at ${address}. Is it running?`, { cause });
  }
}

/** Returns the address to connect to for a listening address; "every address" becomes loopback. */
function toConnectAddress(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function sendRequest(host: string, port: number, daemonRequest: DaemonRequest): Promise<DaemonResponse> {
  const text = daemonRequest.body === undefined ? null : JSON.stringify(daemonRequest.body);
  return new Promise((done, fail) => {
    const outgoing = request(
      {
        host,
        port,
        method: daemonRequest.method,
        path: daemonRequest.path,
        agent: false,
        timeout: timeoutMs,
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
          if (size > maxResponseBytes) response.destroy(new Error('The answer is too long.'));
        });
        response.on('error', fail);
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, body: readJson(Buffer.concat(chunks).toString('utf8')) }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('It did not answer in time.')));
    outgoing.on('error', fail);
    outgoing.end(text);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
