import type { Dice } from './dice.ts';

/** What the strange guests know of the house. */
export interface Knowledge {
  readonly staffKey: string;
  readonly guestKey: string;
}

/** One request as bytes. */
export interface StrangeRequest {
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

const places = [
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

/** A request nobody in his right mind would send, or one that is nearly right. */
export const someRequest = (dice: Dice, known: Knowledge): StrangeRequest =>
  dice.oneIn(2) ? strangeRequest(dice, known) : usualRequest(dice, known);

/** What a controller sends, now and then with a slip. */
function usualRequest(dice: Dice, known: Knowledge): StrangeRequest {
  const slip = (value: string) => (dice.oneIn(15) ? text(dice, values) : value);
  const tap = dice.pick(['1', '2', '3', 'pi.flow0', 'pi.flow1', 'pi.flow2']);
  const perhaps = (name: string, value: string): [string, string][] =>
    dice.oneIn(3) ? [[name, slip(value)]] : [];
  const sayings: readonly (() => [path: string, fields: [string, string][]])[] = [
    () => [
      dice.pick([`/taps/${tap}`, `/tap/${tap}/`]),
      [
        ['ticks', slip(String(dice.below(3_000)))],
        ...perhaps('volume_ml', String(dice.below(90_000) / 100)),
        ...perhaps('username', dice.pick(['anna', 'bert', 'carl', 'guest'])),
        ...perhaps('pour_time', '1777741451'),
        ...perhaps('now', String(1_777_741_440 + dice.below(40_000))),
        ...perhaps('duration', String(dice.below(60))),
        ...perhaps('auth_token', 'core.rfid|00ff'),
        ...perhaps('spilled', dice.pick(['True', 'False'])),
        ...perhaps('pour_id', `p${dice.below(40)}`),
        ...perhaps('shout', 'Prost'),
        ...perhaps('tick_time_series', '0:10 100:20'),
      ],
    ],
    () => ['/cancel-drink', [['id', slip(String(1 + dice.below(60)))], ...perhaps('spilled', 'True')]],
    () => [`/thermo-sensors/cellar${dice.below(3)}`, [['temp_c', slip(String(dice.below(600) / 10 - 20))]]],
    () => ['/controllers', [['name', slip(`kegboard-${dice.below(50)}`)]]],
    () => [
      '/flow-meters',
      [
        ['controller', slip('1')],
        ['port_name', slip(`flow${dice.below(50)}`)],
      ],
    ],
    () => ['/taps', [['name', slip('Cellar')]]],
  ];
  // Most of what a bar hears is beer.
  const [path, pairs] = (dice.oneIn(3) ? dice.pick(sayings) : sayings[0]!)();
  const type = dice.pick(types.slice(0, 3));
  const body = encoded(dice, type, pairs);
  const key = dice.oneIn(20) ? someKey(dice, known) : known.staffKey;
  const [query, header] = dice.pick([
    ['', `X-Kegbot-Api-Key: ${key}`],
    [`?api_key=${encodeURIComponent(Buffer.from(key).toString())}`, 'X-Beer: yes'],
    ['', `Authorization: Bearer ${key}`],
  ] as const);
  const target = `/api/v1${path}${query}`;
  const headers = ['Connection: close', 'Host: pi', `Content-Type: ${type}`, header.replace(/[^ -~]/g, '')];
  const head = `POST ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { method: 'POST', target, bytes: Buffer.concat([Buffer.from(head), body]) };
}

function encoded(dice: Dice, type: string, pairs: readonly (readonly [string, string])[]): Buffer {
  if (type.startsWith('multipart')) return multipart(dice, pairs);
  if (type.includes('json')) return Buffer.from(JSON.stringify(Object.fromEntries(pairs)));
  return Buffer.from(new URLSearchParams(Object.fromEntries(pairs)).toString());
}

function strangeRequest(dice: Dice, known: Knowledge): StrangeRequest {
  const method = dice.oneIn(12) ? dice.pick(oddMethods) : dice.pick(methods);
  const target = strangeTarget(dice, known);
  const type = dice.pick(types);
  const body = dice.oneIn(3) && method === 'GET' ? Buffer.alloc(0) : strangeBody(dice, type, known);
  const headers = strangeHeaders(dice, known);
  if (!dice.oneIn(10)) headers.push(`Content-Type: ${type}`);
  const sent = framed(dice, body, headers);
  const version = dice.oneIn(40) ? dice.pick(['HTTP/1.0', 'HTTP/3.0', 'BEER/1.1', '']) : 'HTTP/1.1';
  const head = `${method} ${target} ${version}\r\n${headers.join('\r\n')}\r\n\r\n`;
  return { method, target, bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]) };
}

function strangeTarget(dice: Dice, known: Knowledge): string {
  const prefix = dice.oneIn(10)
    ? dice.pick(['/api', '/api/v2', '/API/v1', '//api/v1', '/healthz', ''])
    : '/api/v1';
  let path = dice.pick(places).replaceAll('{}', () => encode(dice, text(dice, names)));
  if (dice.oneIn(8)) path = scratched(dice, path);
  if (dice.oneIn(12)) path += '/';
  const query = dice.several(dice.oneIn(3) ? 4 : 0, () => {
    const name = dice.pick([...fields, 'callback', 'api_key', 'since']);
    const value = name === 'api_key' ? someKey(dice, known) : text(dice, [...values, 'show', 'a.b[0]']);
    return dice.oneIn(10) ? encode(dice, name) : `${encode(dice, name)}=${encode(dice, value)}`;
  });
  const target = `${prefix}${path}${query.length > 0 || dice.oneIn(20) ? '?' : ''}${query.join('&')}`;
  const origin = dice.oneIn(60) ? 'http://pi.local' : '';
  return (origin + target).replace(/[\r\n ]/g, '') || '*';
}

/** Percent-encoded as it should be, mostly. */
function encode(dice: Dice, value: string): string {
  if (dice.oneIn(25)) return dice.pick(['%', '%zz', '%ff', '%00', '%2f', '%c3%28', '+', '%u0041']);
  if (dice.oneIn(15)) return Buffer.from(value).toString('latin1');
  return encodeURIComponent(Buffer.from(value).toString());
}

/** With a sign or two that do not belong there. */
function scratched(dice: Dice, value: string): string {
  const at = dice.below(value.length + 1);
  const sign = dice.pick([
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
  return value.slice(0, at) + sign + value.slice(at + dice.below(2));
}

const text = (dice: Dice, from: readonly string[]): string => {
  const value = dice.oneIn(4) ? dice.pick(values) : dice.pick(from);
  return dice.oneIn(10) ? scratched(dice, value) : value;
};

const someKey = (dice: Dice, { staffKey, guestKey }: Knowledge): string =>
  dice.pick([
    staffKey,
    staffKey,
    staffKey,
    guestKey,
    'f'.repeat(32),
    '',
    'x'.repeat(300),
    text(dice, values),
  ]);

function strangeHeaders(dice: Dice, known: Knowledge): string[] {
  const headers = ['Connection: close'];
  if (!dice.oneIn(20))
    headers.push(`Host: ${dice.oneIn(8) ? text(dice, ['evil.example', '[::1]']) : 'localhost'}`);
  if (!dice.oneIn(3)) headers.push(`X-Kegbot-Api-Key: ${someKey(dice, known)}`);
  if (dice.oneIn(6))
    headers.push(`Authorization: ${dice.pick(['Bearer', 'Basic', ''])} ${someKey(dice, known)}`);
  if (dice.oneIn(10)) headers.push(`Idempotency-Key: ${text(dice, ['one-pour', 'p1'])}`);
  if (dice.oneIn(20)) headers.push(`Expect: ${dice.pick(['100-continue', 'beer'])}`);
  if (dice.oneIn(20)) headers.push(`Content-Encoding: ${dice.pick(['gzip', 'identity', 'br', ''])}`);
  if (dice.oneIn(20)) headers.push(`Origin: ${text(dice, ['http://evil.example', 'null'])}`);
  if (dice.oneIn(20)) headers.push(`X-Forwarded-For: ${text(dice, ['10.0.0.1', '::'])}`);
  if (dice.oneIn(20)) headers.push(`Upgrade: ${dice.pick(['websocket', 'h2c'])}`);
  if (dice.oneIn(20)) headers.push(`Range: bytes=0-${text(dice, values)}`);
  if (dice.oneIn(30)) headers.push(`${text(dice, fields)}: ${text(dice, values)}`);
  if (dice.oneIn(60)) headers.push(`X-Long: ${'x'.repeat(dice.below(20_000))}`);
  // A header's text ends with its line; the rest may be whatever it is.
  return headers.map((header) => Buffer.from(header.replace(/[\r\n]/g, '')).toString('latin1'));
}

function strangeBody(dice: Dice, type: string, known: Knowledge): Buffer {
  if (dice.oneIn(15)) return dice.bytes(dice.below(2_000));
  if (dice.oneIn(60)) return Buffer.alloc(60_000 + dice.below(20_000), 'a=1&');
  const pairs = dice.several(7, () => {
    const name = dice.pick(fields);
    return [name, name === 'api_key' ? someKey(dice, known) : text(dice, values)] as const;
  });
  if (dice.oneIn(2)) pairs.push(['ticks', String(dice.below(3_000))]);
  const whole = type.startsWith('multipart')
    ? multipart(dice, pairs)
    : type.includes('json')
      ? Buffer.from(json(dice, pairs))
      : Buffer.from(pairs.map(([name, value]) => `${encode(dice, name)}=${encode(dice, value)}`).join('&'));
  return dice.oneIn(10) ? whole.subarray(0, dice.below(whole.length + 1)) : whole;
}

function json(dice: Dice, pairs: readonly (readonly [string, string])[]): string {
  if (dice.oneIn(20))
    return dice.pick(['', 'null', '[]', '"beer"', '1', '{', '['.repeat(10_000), '{"a":'.repeat(3_000)]);
  const members = pairs.map(([name, value]) => {
    const printed = JSON.stringify(value);
    const odd = dice.pick(['null', 'true', '{}', '[1]', '-0', '1e999', '0.1', value]);
    return `${JSON.stringify(name)}:${dice.oneIn(2) ? printed : odd}`;
  });
  return `{${members.join(',')}}`;
}

function multipart(dice: Dice, pairs: readonly (readonly [string, string])[]): Buffer {
  const parts = pairs.map(([name, value]) => {
    const file = dice.oneIn(12) ? '; filename="a.jpg"' : '';
    const type = dice.oneIn(10)
      ? `\r\nContent-Type: ${dice.pick(['text/plain; charset=x', 'image/jpeg', '/'])}`
      : '';
    return `--glass\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join('')}${dice.oneIn(15) ? '' : '--glass--\r\n'}`);
}

/** The body with the headers that say how long it is, honestly or not. */
function framed(dice: Dice, body: Buffer, headers: string[]): Buffer {
  if (dice.oneIn(8)) {
    headers.push('Transfer-Encoding: chunked');
    if (dice.oneIn(10)) return Buffer.from('zz\r\nbeer\r\n0\r\n\r\n');
    const length = Buffer.from(`${body.length.toString(16)}\r\n`);
    return body.length === 0
      ? Buffer.from('0\r\n\r\n')
      : Buffer.concat([length, body, Buffer.from('\r\n0\r\n\r\n')]);
  }
  if (dice.oneIn(30))
    headers.push(`Content-Length: ${dice.pick(['-1', 'beer', '1e3', String(body.length + 9)])}`);
  else if (body.length > 0 || dice.oneIn(3)) headers.push(`Content-Length: ${body.length}`);
  return body;
}
