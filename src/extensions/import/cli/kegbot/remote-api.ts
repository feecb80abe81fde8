import { AppError } from '../../../../core/app-error.ts';
import type { RemoteAnswer, RemoteClient } from './remote-client.ts';

/** Lists that are read. */
export type RemoteList = 'users' | 'beverages' | 'kegs' | 'drinks';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The forms of answers, by the name that `--api` has. */
export const apiNames = ['kegbot', 'legacy', 'reference'] as const;
export type ApiName = (typeof apiNames)[number];

/** One page of a list. */
export interface RemotePage {
  readonly items: readonly JsonObject[];
  /** Path of the next page; null at the end. */
  readonly next: string | null;
}

/** A server's API: where its lists are, and how they are paged. */
export interface RemoteApi {
  readonly name: ApiName;
  /** The path below which its lists are. */
  readonly root: string;
  firstPath(list: RemoteList): string;
  /** The page in an answer to `path`; null when the answer is no list. */
  readPage(list: RemoteList, body: unknown, path: string): RemotePage | null;
}

/** Items of a page where the server lets us choose; Kegbot 2.0 allows a hundred. */
const pageSize = 500;
const kegbotPageSize = 100;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Kegbot 2.0: `{next, results}` with opaque cursors. The host in `next` is ignored, since proxies change it. */
const kegbotApi: RemoteApi = {
  name: 'kegbot',
  root: '/api',
  firstPath: (list) => `/api/${list}?page_size=${kegbotPageSize}`,
  readPage(list, body) {
    if (!isObject(body) || !Array.isArray(body.results)) return null;
    const cursor = typeof body.next === 'string' ? /[?&]cursor=([^&]*)/.exec(body.next)?.[1] : undefined;
    const next = cursor === undefined ? null : `/api/${list}?page_size=${kegbotPageSize}&cursor=${cursor}`;
    return { items: body.results.filter(isObject), next };
  },
};

/** Lists of descending ids, of which `start` names the first: Kegbot 1 and the reference form, which is ours too. */
function startApi(name: 'legacy' | 'reference', root: string): RemoteApi {
  const pathFrom = (list: RemoteList, start: number | null) =>
    `${root}/${list}?limit=${pageSize}${start === null ? '' : `&start=${start}`}`;
  return {
    name,
    root,
    firstPath: (list) => pathFrom(list, null),
    readPage(list, body, path) {
      const holder = isObject(body) && name === 'reference' && isObject(body.result) ? body.result : body;
      if (!isObject(holder)) return null;
      const found = name === 'legacy' ? holder.objects : holder[list];
      if (!Array.isArray(found)) return null;
      const items = found.filter(isObject);
      const ids = items.map(({ id }) => Number(id)).filter((id) => Number.isSafeInteger(id));
      if (ids.length < items.length || items.length === 0) {
        return { items, next: items.length === 0 ? null : nextByPaging(root, list, holder.paging) };
      }
      const lowest = Math.min(...ids);
      const asked = Number(/[?&]start=(\d+)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY);
      // A server that does not know `start` repeats its whole list.
      const isRepeated = Math.max(...ids) > asked;
      return {
        items: isRepeated ? [] : items,
        next: isRepeated || lowest <= 1 ? null : pathFrom(list, lowest - 1),
      };
    },
  };
}

/** The next page of a list whose items have no ids. */
function nextByPaging(root: string, list: RemoteList, paging: unknown): string | null {
  const next = isObject(paging) ? paging.next : null;
  if (typeof next === 'number') return `${root}/${list}?limit=${pageSize}&start=${next}`;
  const query = typeof next === 'string' ? /\?[^#]*$/.exec(next)?.[0] : undefined;
  return query === undefined ? null : `${root}/${list}${query}`;
}

const candidates: Readonly<Record<ApiName, readonly RemoteApi[]>> = {
  kegbot: [kegbotApi],
  legacy: [startApi('legacy', '/api'), startApi('legacy', '/api/v1')],
  reference: [startApi('reference', '/api')],
};

/** Finds out which API the server has by asking for its drinks. Throws `not_allowed` or `unavailable`. */
export async function findApi(client: RemoteClient, wanted: ApiName | null): Promise<RemoteApi> {
  const apis = wanted === null ? apiNames.flatMap((name) => candidates[name]) : candidates[wanted];
  const answers = new Map<string, RemoteAnswer>();
  for (const api of apis) {
    const path = `${api.root}/drinks`;
    const answer = answers.get(path) ?? (await client.get(path, { isFirst: answers.size === 0 }));
    answers.set(path, answer);
    if (answer.status === 200 && api.readPage('drinks', answer.body, path) !== null) return api;
  }
  const first = [...answers.values()][0]!;
  if (first.status === 401 || first.status === 403) throw refusedError(first);
  const what = wanted === null ? 'a Kegbot or Tapster server' : `a server with the API “${wanted}”`;
  throw new AppError(
    'unavailable',
    `${client.base} does not answer like ${what} (status ${first.status}): check the address.`,
  );
}

export function refusedError({ status, body }: RemoteAnswer): AppError {
  if (isObject(body) && body.error === 'setup_required') {
    return new AppError('unavailable', 'The other server is not set up, so it has nothing to import.');
  }
  return new AppError(
    'not_allowed',
    `The other server refuses to answer (status ${status}): give the API key of a staff account there with --key.`,
  );
}
