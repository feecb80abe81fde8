import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../../core/app-error.ts';
import type { RouteContext } from '../routes/route.ts';
import { namesThisHost, parseHostName } from './origin.ts';

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

/** Returns the base URL for links in mails: the setting, else the address of the request, else null. */
export const siteAddress = ({ engine, ownAddress }: Pick<RouteContext, 'engine' | 'ownAddress'>) =>
  engine.mail.settings().baseUrl || ownAddress;

/** As `siteAddress`, but throws `conflict` when no address is known. */
export function requireSiteAddress(context: Pick<RouteContext, 'engine' | 'ownAddress'>): string {
  const address = siteAddress(context);
  if (address !== null) return address;
  throw new AppError(
    'conflict',
    'Links in mails need the address of this server. Ask staff to set it (`base_url`), or open the page by the machine’s own name.',
    { reason: { name: 'no_site_address' } },
  );
}
