import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { TLSSocket } from 'node:tls';

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** True for a request from this machine. A request through a proxy counts as remote. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  // A connection to one of the machine's own addresses comes from the same address.
  const isOwn = address !== '' && socket.remoteAddress === socket.localAddress;
  return isOwn || address === '::1' || address.startsWith('127.');
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
type HostedRequest = IncomingMessage & { readonly host?: string; readonly secure?: boolean };

/**
 * True when the browser's headers show that a page of another site sent the request. Over TLS a page over plain HTTP is one,
 * also with the same host and port: whoever reads and changes the traffic could have written it.
 */
export function isForeignOrigin({ headers, host = headers.host, secure }: HostedRequest): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  try {
    const { protocol, host: originHost } = new URL(origin);
    if (secure === true && protocol !== 'https:') return true;
    return originHost !== new URL(`${protocol}//${host}`).host;
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
  const host = findOwnHost(request, ownNames);
  if (host === null || socket.localPort === undefined) return null;
  return isOverOwnTls(request)
    ? toAddress('https', host, socket.localPort)
    : toAddress('http', host, socket.localPort);
}

/** True if the connection itself is over TLS; false behind a proxy, whatever it forwards. */
export const isOverOwnTls = ({ socket }: IncomingMessage): boolean =>
  (socket as Partial<TLSSocket>).encrypted === true;

/**
 * Returns the base URL of this server over HTTPS for the browser of a request: with the name that it used, if that is ours, else
 * with the name of this machine in its network. Null while HTTPS is not served.
 */
export function findHttpsAddress(
  request: IncomingMessage,
  ownNames: readonly string[],
  port: number | null,
): string | null {
  if (port === null) return null;
  return toAddress('https', findOwnHost(request, ownNames) ?? `${hostname().toLowerCase()}.local`, port);
}

/** The host of a request as it is in a URL: one of our names, or the address at which the request arrived; else null. */
function findOwnHost(request: IncomingMessage, ownNames: readonly string[]): string | null {
  const { socket, headers } = request;
  const name = parseHostName(headers.host);
  if (name === null) return null;
  const receivedAt = (socket.localAddress ?? '').replace(/^::ffff:/, '').replace(/%.*$/, '');
  const isOwn = isIP(name) === 0 ? namesThisHost(request, ownNames) : name === receivedAt;
  if (!isOwn) return null;
  return isIP(name) === 6 ? `[${name}]` : name;
}

const toAddress = (scheme: 'http' | 'https', host: string, port: number): string =>
  port === (scheme === 'http' ? 80 : 443) ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
