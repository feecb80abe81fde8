import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../../core/app-error.ts';
import type { RouteContext } from '../routes/route.ts';
import { namesThisHost, parseHostName } from './origin.ts';

/**
 * What links to this house begin with, as a request shows it; null where it does not beyond doubt. The Host header is
 * written by whoever asks: a link built on another name would carry its secret to them. So the name must be one of ours
 * or the very address the request came in at, the port is the one it came in at, and what a proxy says is not asked.
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

/** What links in mails begin with: the setting, else what the request shows beyond doubt, else null. */
export const siteAddress = ({ engine, ownAddress }: Pick<RouteContext, 'engine' | 'ownAddress'>) =>
  engine.mail.settings().baseUrl || ownAddress;

/** The same for a mail that is nothing without its link; throws `conflict` where there is none. */
export function requireSiteAddress(context: Pick<RouteContext, 'engine' | 'ownAddress'>): string {
  const address = siteAddress(context);
  if (address !== null) return address;
  throw new AppError(
    'conflict',
    'Links in mails need the address of this house. Ask the staff to set it (`base_url`), or open the page by the machine’s own name.',
    { reason: { name: 'no_site_address' } },
  );
}
