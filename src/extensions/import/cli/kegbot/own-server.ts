import { lookup } from 'node:dns/promises';
import type { Config } from '../../../../config/schema.ts';
import { AppError } from '../../../../core/app-error.ts';
import { parseTime } from '../../../../core/clock/parse-time.ts';
import { ownAddresses } from '../../../../system/own-addresses.ts';
import type { Imports } from '../../engine/imports.ts';
import { backupPrefix, otherSourceError } from './choose-source.ts';
import type { RemoteApi } from './remote-api.ts';
import type { RemoteClient } from './remote-client.ts';

/** Equal times and volumes of so many drinks are no accident. */
const comparedDrinks = 5;

/**
 * Refuses to import from the daemon of this database, or from one whose database this one is a copy of: every drink would
 * be there twice. The same for a server whose drinks were imported under another name. Throws `conflict`. Returns the name of
 * the source: that of a backup if the server's drinks were imported from one.
 */
export async function requireOtherServer(
  client: RemoteClient,
  {
    api,
    imports,
    source,
    isNamed,
    http,
  }: {
    readonly api: RemoteApi;
    readonly imports: Imports;
    readonly source: string;
    /** Whether the name of the source was given by people. */
    readonly isNamed: boolean;
    readonly http: Config['http'];
  },
): Promise<string> {
  if (await isOwnAddress(new URL(client.base), http.port)) throw sameError();
  const path = api.firstPath('drinks');
  const { body } = await client.get(path);
  const newest = (api.readPage('drinks', body, path)?.items ?? []).map((json) => ({
    id: Number(json.id),
    pourTimeMs: parseTime(String(json.pour_time ?? json.time), 'UTC') ?? -1,
    volumeMl: Number(json.volume_ml),
  }));
  if (imports.hasSameDrinks(newest)) throw sameError();
  const known = imports.findSource(newest);
  if (known?.startsWith(backupPrefix) && !isNamed) return known;
  // A server that went on meanwhile has newer drinks, so the oldest of the page are compared.
  const other = imports.findOtherSource(source, newest.slice(-comparedDrinks));
  if (other !== null && !(other.startsWith(backupPrefix) && !isNamed)) throw otherSourceError(other);
  return source;
}

async function isOwnAddress(url: URL, ownPort: number): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (port !== ownPort) return false;
  const own = ownAddresses();
  try {
    const found = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true });
    return found.some(
      ({ address }) => own.includes(address) || /^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address),
    );
  } catch {
    return false;
  }
}

const sameError = (): AppError =>
  new AppError(
    'conflict',
    'That server has the drinks of this database already: it is this Tapster, or one that it was copied from.',
  );
