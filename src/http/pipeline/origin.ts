import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** True for a request from this machine. A request through a proxy counts as remote. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return address === '::1' || address.startsWith('127.');
}

/**
 * True when the Host header names this machine. A foreign site can resolve its own name to this address (DNS
 * rebinding), but the browser then still sends the foreign name.
 */
export function namesThisHost(request: IncomingMessage, ownNames: readonly string[]): boolean {
  const host = parseHostName(request.headers.host);
  if (host === null) return false;
  const own = hostname().toLowerCase();
  return (
    loopbackNames.has(host) ||
    host === own ||
    host === `${own}.local` ||
    ownNames.some((name) => name.toLowerCase() === host)
  );
}

/** As `namesThisHost`, or any IP address: a foreign site has a name, not a bare address. */
export function namesThisHostOrAddress(request: IncomingMessage, ownNames: readonly string[]): boolean {
  const host = parseHostName(request.headers.host);
  return host !== null && (isIP(host) !== 0 || namesThisHost(request, ownNames));
}

/** A request in Express: behind a trusted proxy, `host` is the host that the browser requested. */
type HostedRequest = IncomingMessage & { readonly host?: string };

/** True when the browser's headers show that a page of another site sent the request. */
export function isForeignOrigin({ headers, host = headers.host }: HostedRequest): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  try {
    return new URL(origin).host !== new URL(`http://${host}`).host;
  } catch {
    return true; // `null` or not a URL
  }
}

/** Returns the host name of a Host header in lower case, without port and brackets; null when it is invalid. */
function parseHostName(host: string | undefined): string | null {
  try {
    return new URL(`http://${host ?? ''}`).hostname.replace(/^\[|\]$/g, '').toLowerCase() || null;
  } catch {
    return null;
  }
}

/**
 * Returns the base URL of this server as seen by a request, or null when it is not certain. The client controls the Host
 * header, and a link with a foreign name would send its secret there. Therefore the name must be one of ours or the
 * address at which the request arrived, the port is the one at which it arrived, and proxy headers are not used.
 */
export function findOwnAddress(request: IncomingMessage, ownNames: readonly string[]): string | null {
  const { socket, headers } = request;
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return null;
  const name = parseHostName(headers.host);
  if (name === null || socket.localPort === undefined) return null;
  const receivedAt = (socket.localAddress ?? '').replace(/^::ffff:/, '').replace(/%.*$/, '');
  const isOwn = isIP(name) === 0 ? namesThisHost(request, ownNames) : name === receivedAt;
  if (!isOwn) return null;
  const host = isIP(name) === 6 ? `[${name}]` : name;
  return socket.localPort === 80 ? `http://${host}` : `http://${host}:${socket.localPort}`;
}
