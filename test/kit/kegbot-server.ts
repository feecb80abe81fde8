import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The history of a bar with its old server; drink `n` (from 1) follows from its number. */
export interface OldBar {
  users: readonly {
    readonly username: string;
    readonly display_name?: string;
    readonly is_staff?: boolean;
  }[];
  drinks: number;
}

export const oldKey = '0123456789abcdef0123456789abcdef';

/** Pours start here, one every ten minutes. */
export const firstPourMs = Date.UTC(2023, 4, 5, 18);
const pourIntervalMs = 600_000;

const producer = {
  id: 3,
  name: 'Hausbrauerei',
  country: 'DEU',
  origin_state: '',
  origin_city: 'Bamberg',
  is_homebrew: false,
  url: 'not a web address',
  description: null,
};
export const beverages = [
  {
    id: 9,
    name: 'Haus Helles',
    producer,
    beverage_type: 'beer',
    style: 'Helles',
    description: null,
    vintage_year: null,
    abv_percent: 4.9,
    color_hex: '#FFD878',
    ibu: 18,
    star_rating: null,
  },
  {
    id: 10,
    name: 'Cola',
    producer: { id: 4, name: 'Limo GmbH' },
    beverage_type: 'soda',
    style: null,
    color_hex: '#000',
  },
];

/** Kegs: the first is finished, the second on tap, the third still full. */
export const kegs = [
  {
    id: 1,
    keg_type: 'euro-half',
    full_volume_ml: 50_000,
    spilled_ml: 400,
    start_time: '2023-05-05T19:00:00.250000+02:00',
    end_time: '2023-06-01T00:00:00+02:00',
    status: 'finished',
    beverage: beverages[0]!,
    description: null,
    notes: 'cold room',
  },
  {
    id: 2,
    keg_type: 'corny',
    full_volume_ml: 18_927.1,
    spilled_ml: 0,
    start_time: '2023-06-01T00:00:00+02:00',
    end_time: '2023-05-30T00:00:00+02:00',
    status: 'on_tap',
    beverage: beverages[0]!,
  },
  {
    id: 3,
    keg_type: 'mini',
    full_volume_ml: 5_000,
    spilled_ml: 0,
    start_time: '2023-06-02T00:00:00+02:00',
    end_time: '2023-06-02T00:00:00+02:00',
    status: 'available',
    beverage: beverages[1]!,
  },
];

/** Volume of drink `n`, millilitres. */
export const volumeOfDrink = (n: number): number => 200 + (n % 7) * 50.5;

/** Drink `n` as the API of Kegbot 2 has it. */
export function drink(n: number, bar: OldBar) {
  const user = n % 3 === 0 ? null : bar.users[n % bar.users.length]!;
  return {
    id: n,
    ticks: n % 4_000,
    volume_ml: volumeOfDrink(n),
    time: new Date(firstPourMs + n * pourIntervalMs).toISOString().replace('Z', '000+00:00'),
    duration: n % 30,
    username: user?.username ?? 'guest',
    keg: n % 2 === 0 ? kegs[0]! : kegs[1]!,
    session_id: 1,
    shout: n % 5 === 0 ? 'Prost\u202e!' : '',
  };
}

/** An answer in place of the ordinary one. */
interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The form of a server's answers: Kegbot 2, Kegbot 1, and the oldest one with `{result}`. */
export type KegbotForm = 'kegbot' | 'legacy' | 'reference';

/** A server that answers in that form. */
export async function startKegbot(form: KegbotForm, bar: OldBar) {
  const requests: string[] = [];
  const faults: Fault[] = [];
  let intercept: ((path: string) => Fault | null) | null = null;
  const server: Server = createServer((request, response) => {
    requests.push(request.url!);
    const fault = intercept?.(request.url!) ?? faults.shift();
    if (fault) return send(response, fault.status, fault.body ?? '{}', fault.headers);
    if (!hasKey(request, form)) return send(response, form === 'kegbot' ? 403 : 401, '{"detail": "no key"}');
    const url = new URL(request.url!, 'http://old-pi');
    const keg = /^\/api\/kegs\/(\d)$/.exec(url.pathname)?.[1];
    if (keg !== undefined && form === 'reference') {
      return send(response, 200, JSON.stringify(referenceKeg(Number(keg))));
    }
    const list = /^\/api\/(users|beverages|kegs|drinks)$/.exec(url.pathname)?.[1];
    const isMissing = missingLists[form].includes(list ?? '');
    if (list === undefined || isMissing) return send(response, 404, '<html>');
    const body = { kegbot: kegbotList, legacy: legacyList, reference: referenceList }[form](list, url, bar);
    return send(response, 200, JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Answers of the next requests. */
    faults,
    setIntercept(next: typeof intercept): void {
      intercept = next;
    },
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((done) => void server.close(() => done()));
    },
  };
}

export type KegbotServer = Awaited<ReturnType<typeof startKegbot>>;

const missingLists: Readonly<Record<KegbotForm, readonly string[]>> = {
  kegbot: [],
  legacy: ['beverages'],
  reference: ['beverages', 'users'],
};

function hasKey(request: IncomingMessage, form: KegbotForm): boolean {
  const basic = `Basic ${Buffer.from(`api:${oldKey}`).toString('base64')}`;
  return form === 'kegbot'
    ? request.headers.authorization === basic
    : request.headers['x-kegbot-api-key'] === oldKey;
}

function kegbotList(list: string, url: URL, bar: OldBar) {
  const size = Math.min(100, Number(url.searchParams.get('page_size') ?? 10));
  const before = Number(url.searchParams.get('cursor')?.replace('c-', '') ?? Number.POSITIVE_INFINITY);
  const items = itemsOf(list, bar, before, size + 1).map((item) =>
    list === 'drinks' ? { ...item, user: { id: 1, username: item.username, display_name: '' } } : item,
  );
  const results = items.slice(0, size);
  const cursor = `cursor=c-${String(results.at(-1)?.id)}&page_size=${size}`;
  return {
    next: items.length > size ? `https://wrong.example${url.pathname}?${cursor}` : null,
    previous: null,
    results,
  };
}

function legacyList(list: string, url: URL, bar: OldBar) {
  const start = Number(url.searchParams.get('start') ?? Number.POSITIVE_INFINITY);
  const objects = itemsOf(list, bar, start + 1, 100).map((item) => {
    if (list === 'drinks')
      return { ...item, user_id: item.username, keg_id: (item.keg as { id: number }).id };
    if (list !== 'kegs') return item;
    const { status, spilled_ml: spilled, ...keg } = item as unknown as (typeof kegs)[number];
    return {
      ...keg,
      online: status === 'on_tap',
      spilled_volume_ml: spilled,
      served_volume_ml: status === 'finished' ? 1 : 0,
    };
  });
  return { objects, meta: { result: 'ok' } };
}

function referenceList(list: string, url: URL, bar: OldBar) {
  const start = Number(url.searchParams.get('start') ?? Number.POSITIVE_INFINITY);
  const items = itemsOf(list, bar, start + 1, 100).map((item) => {
    if (list === 'kegs') return referenceKeg(Number(item.id)).result.keg;
    const { time, username, keg, ...rest } = item;
    const isGuest = username === 'guest';
    return {
      ...rest,
      pour_time: String(time).slice(0, 19),
      is_valid: true,
      user_id: isGuest ? null : username,
      keg_id: (keg as { id: number }).id,
      session_id: '1',
    };
  });
  return { result: { paging: { total: bar.drinks, limit: 100, pos: 0 }, [list]: items } };
}

function referenceKeg(id: number) {
  const { beverage, full_volume_ml: volumeMl, status, start_time: start, end_time: end } = kegs[id - 1]!;
  return {
    result: {
      keg: {
        id,
        status: status === 'on_tap' ? 'online' : 'offline',
        volume_ml_remain: 1,
        percent_full: 0.1,
        description: '',
        type_id: String(beverage.id),
        size_id: 99,
        started_time: start,
        finished_time: end,
      },
      type: {
        id: String(beverage.id),
        name: beverage.name,
        style_id: 'Helles',
        brewer_id: '3',
        abv: 4.9,
        calories_oz: 12,
      },
      size: { id: 99, name: 'A keg', volume_ml: volumeMl },
      drinks: [],
    },
  };
}

/** The items with ids below `before`, highest id first. */
function itemsOf(list: string, bar: OldBar, before: number, limit: number): Record<string, unknown>[] {
  if (list === 'drinks') {
    const first = Math.min(bar.drinks, before - 1);
    const count = Math.max(0, Math.min(limit, first));
    return Array.from({ length: count }, (_, index) => drink(first - index, bar));
  }
  const users = bar.users.map((user, index) => ({ id: index + 2, is_active: true, ...user }));
  const guest = { id: 1, username: 'guest', is_active: true };
  const all: { id: number }[] = list === 'users' ? [guest, ...users] : list === 'kegs' ? kegs : beverages;
  return [...all]
    .sort((one, other) => other.id - one.id)
    .filter(({ id }) => id < before)
    .slice(0, limit);
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
