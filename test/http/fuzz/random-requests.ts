import type { Random } from './random.ts';

/** Valid keys. */
export interface KnownKeys {
  readonly staffKey: string;
  readonly guestKey: string;
}

/** One request as bytes. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly bytes: Buffer;
}

const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
];
const oddMethods = ['TRACE', 'PROPFIND', 'BREW', 'get', 'M-SEARCH', 'PURGE', 'LINK', 'G3T', ''];

const paths = [
  '/status',
  '/taps',
  '/taps/{}',
  '/tap/{}/',
  '/cancel-drink',
  '/controllers',
  '/flow-meters',
  '/events',
  '/thermo-sensors/{}',
  '/thermo-sensor/{}/',
  '/auth-tokens/{}',
  '/auth-tokens/{}/{}',
  '/schema',
  '/drinks',
  '/kegs/{}',
  '/users/{}/photo',
  '/nothing',
  '/',
  '',
];

const names = [
  '1',
  '2',
  '3',
  '4',
  '99',
  'pi.flow0',
  'pi.flow1',
  'pi.flow2',
  'kegboard.flow0',
  'cellar',
  'core.rfid',
];

const fields = [
  'ticks',
  'ticks',
  'volume_ml',
  'username',
  'pour_time',
  'now',
  'duration',
  'auth_token',
  'spilled',
  'shout',
  'tick_time_series',
  'pour_id',
  'id',
  'name',
  'model_name',
  'serial_number',
  'controller',
  'port_name',
  'ticks_per_ml',
  'temp_c',
  'when',
  'since',
  'limit',
  'photo',
  'api_key',
  'callback',
  '__proto__',
  'constructor',
  'toString',
  '',
];

const values = [
  '0',
  '1',
  '2',
  '330',
  '2200',
  '2200.0',
  '-1',
  '1e3',
  '1e400',
  'nan',
  '-0',
  '9007199254740993',
  '99999999999999999999',
  '2147483648',
  '0x10',
  '12abc',
  'true',
  'False',
  'on',
  'anna',
  'guest',
  'nobody at all',
  'core.rfid|00ff',
  '0:10 100:20',
  '1777741453',
  '4102444801',
  'pi',
  'flow0',
  '🍺',
  '\u0000',
  '\ud800',
  'null',
  '[]',
  "'; DROP TABLE drinks; --",
  '%s%n%x',
  '../../etc/passwd',
  'x'.repeat(300),
  '',
];

const types = [
  'application/x-www-form-urlencoded',
  'application/json',
  'multipart/form-data; boundary=glass',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  'application/json;;;',
  '/',
];

/** Creates either an odd request or one that is nearly valid. */
export const randomRequest = (random: Random, known: KnownKeys): FuzzRequest =>
  random.oneIn(2) ? oddRequest(random, known) : controllerRequest(random, known);

/** Creates a controller's request, sometimes with a mistake. */
function controllerRequest(random: Random, known: KnownKeys): FuzzRequest {
  const mistype = (value: string) => (random.oneIn(15) ? randomText(random, values) : value);
  const tap = random.pick(['1', '2', '3', 'pi.flow0', 'pi.flow1', 'pi.flow2']);
  const sometimes = (name: string, value: string): [string, string][] =>
    random.oneIn(3) ? [[name, mistype(value)]] : [];
  const messages: readonly (() => [path: string, fields: [string, string][]])[] = [
    () => [
      random.pick([`/taps/${tap}`, `/tap/${tap}/`]),
      [
        ['ticks', mistype(String(random.below(3_000)))],
        ...sometimes('volume_ml', String(random.below(90_000) / 100)),
        ...sometimes('username', random.pick(['anna', 'bert', 'carl', 'guest'])),
        ...sometimes('pour_time', '1777741451'),
        ...sometimes('now', String(1_777_741_440 + random.below(40_000))),
        ...sometimes('duration', String(random.below(60))),
        ...sometimes('auth_token', 'core.rfid|00ff'),
        ...sometimes('spilled', random.pick(['True', 'False'])),
        ...sometimes('pour_id', `p${random.below(40)}`),
        ...sometimes('shout', 'Prost'),
        ...sometimes('tick_time_series', '0:10 100:20'),
      ],
    ],
    () => ['/cancel-drink', [['id', mistype(String(1 + random.below(60)))], ...sometimes('spilled', 'True')]],
    () => [
      `/thermo-sensors/cellar${random.below(3)}`,
      [['temp_c', mistype(String(random.below(600) / 10 - 20))]],
    ],
    () => ['/controllers', [['name', mistype(`kegboard-${random.below(50)}`)]]],
    () => [
      '/flow-meters',
      [
        ['controller', mistype('1')],
        ['port_name', mistype(`flow${random.below(50)}`)],
      ],
    ],
    () => ['/taps', [['name', mistype('Cellar')]]],
  ];
  // Two of three requests are pours.
  const [path, pairs] = (random.oneIn(3) ? random.pick(messages) : messages[0]!)();
  const type = random.pick(types.slice(0, 3));
  const body = encodeBody(random, type, pairs);
  const key = random.oneIn(20) ? randomKey(random, known) : known.staffKey;
  const [query, header] = random.pick([
    ['', `X-Kegbot-Api-Key: ${key}`],
    [`?api_key=${encodeURIComponent(Buffer.from(key).toString())}`, 'X-Beer: yes'],
    ['', `Authorization: Bearer ${key}`],
  ] as const);
  const target = `/api/v1${path}${query}`;
  const headers = ['Connection: close', 'Host: pi', `Content-Type: ${type}`, header.replace(/[^ -~]/g, '')];
  const head = `POST ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { method: 'POST', target, bytes: Buffer.concat([Buffer.from(head), body]) };
}

function encodeBody(random: Random, type: string, pairs: readonly (readonly [string, string])[]): Buffer {
  if (type.startsWith('multipart')) return multipart(random, pairs);
  if (type.includes('json')) return Buffer.from(JSON.stringify(Object.fromEntries(pairs)));
  return Buffer.from(new URLSearchParams(Object.fromEntries(pairs)).toString());
}

function oddRequest(random: Random, known: KnownKeys): FuzzRequest {
  const method = random.oneIn(12) ? random.pick(oddMethods) : random.pick(methods);
  const target = oddTarget(random, known);
  const type = random.pick(types);
  const body = random.oneIn(3) && method === 'GET' ? Buffer.alloc(0) : oddBody(random, type, known);
  const headers = oddHeaders(random, known);
  if (!random.oneIn(10)) headers.push(`Content-Type: ${type}`);
  const sent = addFraming(random, body, headers);
  const version = random.oneIn(40) ? random.pick(['HTTP/1.0', 'HTTP/3.0', 'BEER/1.1', '']) : 'HTTP/1.1';
  const head = `${method} ${target} ${version}\r\n${headers.join('\r\n')}\r\n\r\n`;
  return { method, target, bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]) };
}

function oddTarget(random: Random, known: KnownKeys): string {
  const prefix = random.oneIn(10)
    ? random.pick(['/api', '/api/v2', '/API/v1', '//api/v1', '/healthz', ''])
    : '/api/v1';
  let path = random.pick(paths).replaceAll('{}', () => encode(random, randomText(random, names)));
  if (random.oneIn(8)) path = damage(random, path);
  if (random.oneIn(12)) path += '/';
  const query = random.arrayOf(random.oneIn(3) ? 4 : 0, () => {
    const name = random.pick([...fields, 'callback', 'api_key', 'since']);
    const value =
      name === 'api_key' ? randomKey(random, known) : randomText(random, [...values, 'show', 'a.b[0]']);
    return random.oneIn(10) ? encode(random, name) : `${encode(random, name)}=${encode(random, value)}`;
  });
  const target = `${prefix}${path}${query.length > 0 || random.oneIn(20) ? '?' : ''}${query.join('&')}`;
  const origin = random.oneIn(60) ? 'http://pi.local' : '';
  return (origin + target).replace(/[\r\n ]/g, '') || '*';
}

/** Percent-encodes a value, mostly correctly. */
function encode(random: Random, value: string): string {
  if (random.oneIn(25)) return random.pick(['%', '%zz', '%ff', '%00', '%2f', '%c3%28', '+', '%u0041']);
  if (random.oneIn(15)) return Buffer.from(value).toString('latin1');
  return encodeURIComponent(Buffer.from(value).toString());
}

/** Inserts an invalid character, and may remove one. */
function damage(random: Random, value: string): string {
  const at = random.below(value.length + 1);
  const sign = random.pick([
    '/',
    '//',
    '.',
    '..',
    '%2e%2e/',
    '%',
    ';',
    '\\',
    '#',
    '@',
    ':',
    'ä',
    '\u0000',
    'X',
    '{}',
    '*',
  ]);
  return value.slice(0, at) + sign + value.slice(at + random.below(2));
}

const randomText = (random: Random, from: readonly string[]): string => {
  const value = random.oneIn(4) ? random.pick(values) : random.pick(from);
  return random.oneIn(10) ? damage(random, value) : value;
};

const randomKey = (random: Random, { staffKey, guestKey }: KnownKeys): string =>
  random.pick([
    staffKey,
    staffKey,
    staffKey,
    guestKey,
    'f'.repeat(32),
    '',
    'x'.repeat(300),
    randomText(random, values),
  ]);

function oddHeaders(random: Random, known: KnownKeys): string[] {
  const headers = ['Connection: close'];
  if (!random.oneIn(20))
    headers.push(`Host: ${random.oneIn(8) ? randomText(random, ['evil.example', '[::1]']) : 'localhost'}`);
  if (!random.oneIn(3)) headers.push(`X-Kegbot-Api-Key: ${randomKey(random, known)}`);
  if (random.oneIn(6))
    headers.push(`Authorization: ${random.pick(['Bearer', 'Basic', ''])} ${randomKey(random, known)}`);
  if (random.oneIn(10)) headers.push(`Idempotency-Key: ${randomText(random, ['one-pour', 'p1'])}`);
  if (random.oneIn(20)) headers.push(`Expect: ${random.pick(['100-continue', 'beer'])}`);
  if (random.oneIn(20)) headers.push(`Content-Encoding: ${random.pick(['gzip', 'identity', 'br', ''])}`);
  if (random.oneIn(20)) headers.push(`Origin: ${randomText(random, ['http://evil.example', 'null'])}`);
  if (random.oneIn(20)) headers.push(`X-Forwarded-For: ${randomText(random, ['10.0.0.1', '::'])}`);
  if (random.oneIn(20)) headers.push(`Upgrade: ${random.pick(['websocket', 'h2c'])}`);
  if (random.oneIn(20)) headers.push(`Range: bytes=0-${randomText(random, values)}`);
  if (random.oneIn(30)) headers.push(`${randomText(random, fields)}: ${randomText(random, values)}`);
  if (random.oneIn(60)) headers.push(`X-Long: ${'x'.repeat(random.below(20_000))}`);
  // A header must not contain line breaks; other bytes are allowed.
  return headers.map((header) => Buffer.from(header.replace(/[\r\n]/g, '')).toString('latin1'));
}

function oddBody(random: Random, type: string, known: KnownKeys): Buffer {
  if (random.oneIn(15)) return random.bytes(random.below(2_000));
  if (random.oneIn(60)) return Buffer.alloc(60_000 + random.below(20_000), 'a=1&');
  const pairs = random.arrayOf(7, () => {
    const name = random.pick(fields);
    return [name, name === 'api_key' ? randomKey(random, known) : randomText(random, values)] as const;
  });
  if (random.oneIn(2)) pairs.push(['ticks', String(random.below(3_000))]);
  const whole = type.startsWith('multipart')
    ? multipart(random, pairs)
    : type.includes('json')
      ? Buffer.from(json(random, pairs))
      : Buffer.from(
          pairs.map(([name, value]) => `${encode(random, name)}=${encode(random, value)}`).join('&'),
        );
  return random.oneIn(10) ? whole.subarray(0, random.below(whole.length + 1)) : whole;
}

function json(random: Random, pairs: readonly (readonly [string, string])[]): string {
  if (random.oneIn(20))
    return random.pick(['', 'null', '[]', '"beer"', '1', '{', '['.repeat(10_000), '{"a":'.repeat(3_000)]);
  const members = pairs.map(([name, value]) => {
    const printed = JSON.stringify(value);
    const odd = random.pick(['null', 'true', '{}', '[1]', '-0', '1e999', '0.1', value]);
    return `${JSON.stringify(name)}:${random.oneIn(2) ? printed : odd}`;
  });
  return `{${members.join(',')}}`;
}

function multipart(random: Random, pairs: readonly (readonly [string, string])[]): Buffer {
  const parts = pairs.map(([name, value]) => {
    const file = random.oneIn(12) ? '; filename="a.jpg"' : '';
    const type = random.oneIn(10)
      ? `\r\nContent-Type: ${random.pick(['text/plain; charset=x', 'image/jpeg', '/'])}`
      : '';
    return `--glass\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join('')}${random.oneIn(15) ? '' : '--glass--\r\n'}`);
}

/** Adds headers with the length of the body, sometimes a wrong one, and returns the body as sent. */
function addFraming(random: Random, body: Buffer, headers: string[]): Buffer {
  if (random.oneIn(8)) {
    headers.push('Transfer-Encoding: chunked');
    if (random.oneIn(10)) return Buffer.from('zz\r\nbeer\r\n0\r\n\r\n');
    const length = Buffer.from(`${body.length.toString(16)}\r\n`);
    return body.length === 0
      ? Buffer.from('0\r\n\r\n')
      : Buffer.concat([length, body, Buffer.from('\r\n0\r\n\r\n')]);
  }
  if (random.oneIn(30))
    headers.push(`Content-Length: ${random.pick(['-1', 'beer', '1e3', String(body.length + 9)])}`);
  else if (body.length > 0 || random.oneIn(3)) headers.push(`Content-Length: ${body.length}`);
  return body;
}
