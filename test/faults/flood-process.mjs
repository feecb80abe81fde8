// Connections that send one kind of request again and again, from many addresses. Runs in a process of its own, so that it
// does not delay the measurements. Each line on stdin is one flood, `{port, kind, connections, addresses, seconds}`; the
// reply on stdout is `{requests, statuses}`.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const json = 'application/json';
const urlencoded = 'application/x-www-form-urlencoded';

const post = (path, type, body) =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: pi\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    'latin1',
  );

function multipart(path, parts) {
  const part = (n) => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`;
  const body = Array.from({ length: parts }, (_, n) => part(n)).join('');
  return post(path, 'multipart/form-data; boundary=b', `${body}--b--\r\n`);
}

const repeat = (count, toText, separator) =>
  Array.from({ length: count }, (_, n) => toText(n)).join(separator);
const get = (path, headers = '') =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: pi\r\n${headers}\r\n`, 'latin1');
const fields = repeat(7_000, (n) => `f${n}=1`, '&');
const nested = `{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}`;
const wide = `{${repeat(6_000, (n) => `"f${n}":1`, ',')}}`;

/** The last bytes of an answer without a length. */
const lastChunk = Buffer.from('0\r\n\r\n');

/** One request of each kind of flood. */
const kinds = {
  streams: () => get('/api/live', 'Accept: text/event-stream\r\n'),
  'multipart, current API': () => multipart('/api/kegs', 20_000),
  'multipart, legacy API': () => multipart('/api/v1/taps/pi.flow0', 20_000),
  'multipart, token look-up': () => multipart('/api/auth-tokens/core.rfid/1', 20_000),
  'multipart, pictures': () => multipart('/api/drinks/1/picture', 20_000),
  'multipart, 32 parts, legacy API': () => multipart('/api/v1/taps/pi.flow0', 32),
  'form fields, current API': () => post('/api/kegs', urlencoded, fields),
  'form fields, legacy API': () => post('/api/v1/taps/pi.flow0', urlencoded, fields),
  'nested JSON, current API': () => post('/api/kegs', json, nested),
  'nested JSON, legacy API': () => post('/api/v1/taps/pi.flow0', json, nested),
  'wide JSON, current API': () => post('/api/kegs', json, wide),
  'wide JSON, legacy API': () => post('/api/v1/taps/pi.flow0', json, wide),
  'JSON log-in': () => post('/api/auth/login', json, wide),
  'device events': () => post('/api/device-event', json, wide),
  cookies: () => get('/api/taps', `Cookie: ${repeat(2_000, (n) => `c${n}=1`, ';')}\r\n`),
  'query fields': () => get(`/api/drinks?${repeat(2_000, (n) => `f${n}=1`, '&')}`),
  'plain requests': () => get('/api/taps'),
};

async function flood({ port, kind, connections, addresses, seconds }) {
  const bytes = kinds[kind]();
  const endMs = performance.now() + seconds * 1_000;
  const sockets = new Set();
  const statuses = {};
  let requests = 0;
  for (let i = 0; performance.now() < endMs; i = (i + 1) % 1_000_000) {
    if (sockets.size >= connections) {
      await pause(5);
      continue;
    }
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (i % addresses)}` });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const send = () => {
      requests += 1;
      socket.write(bytes);
    };
    socket.on('data', (part) => {
      // The end of a stream: it is opened again.
      if (kind === 'streams' && part.subarray(-5).equals(lastChunk)) socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(part.subarray(0, 12).toString('latin1'))?.[1];
      if (status === undefined) return;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (performance.now() < endMs && (kind !== 'streams' || status !== '200')) send();
    });
    send();
    if (i % 20 === 19) await pause(1);
  }
  for (const socket of sockets) socket.destroy();
  return { requests, statuses };
}

for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await flood(JSON.parse(line)))}\n`);
}
