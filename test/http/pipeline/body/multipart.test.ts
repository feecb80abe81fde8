import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import express from 'express';
import request from 'supertest';
import Type from 'typebox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Upload } from '../../../../src/engine/engine.ts';
import { currentFormat } from '../../../../src/http/current/shared/reply-format.ts';
import { httpsOff } from '../../../../src/http/https-ports.ts';
import { multipartReader } from '../../../../src/http/pipeline/body/multipart.ts';
import { maxBodyBytes, maxPictureBytes } from '../../../../src/http/pipeline/body/read-body.ts';
import { mountApi } from '../../../../src/http/pipeline/pipeline.ts';
import type { ApiDefinition } from '../../../../src/http/routes/api-definition.ts';
import { defineRoute } from '../../../../src/http/routes/route.ts';
import { Maybe, Open } from '../../../../src/http/routes/schemas.ts';
import { noLimits } from '../../../../src/http/server/limits.ts';
import { openBar } from '../../../engine/bar.ts';

const routes: ApiDefinition['routes'] = [
  defineRoute({
    id: 'uploadPhoto',
    method: 'post',
    path: '/photos',
    summary: 'Upload a photo',
    access: 'open',
    accepts: {
      body: Open({ title: Maybe(Type.String()), ml: Maybe(Type.Integer()) }),
      files: ['photo'],
    },
    replies: { status: 200, body: Open({}) },
    run: (_context, { body, files }) => ({
      ...body,
      files: [...files].map(([name, { path }]) => ({ name, isThere: existsSync(path) })),
    }),
  }),
];

let folder: string;
let bar: ReturnType<typeof openBar>;
let app: express.Express;
let faults: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapster-multipart-'));
  bar = openBar(join(folder, 'tapster.db'));
  faults = [];
  const api: ApiDefinition = {
    name: 'bar',
    title: 'Bar',
    prefix: '/bar',
    headers: {},
    about: { summary: '', description: '', tags: {} },
    routes,
    retired: [],
    bodyReaders: [multipartReader],
    lenientJson: false,
    basicKeys: false,
    formats: [currentFormat],
    formatFor: () => currentFormat,
  };
  app = express();
  app.use(
    api.prefix,
    mountApi(api, {
      engine: bar.engine,
      clock: { now: () => ({ monoMs: 0, wallMs: 0, synced: true, bootId: 'b' }) },
      log: { info() {}, warn: (details) => faults.push(details), error: (details) => faults.push(details) },
      limits: noLimits,
      hosts: [],
      https: httpsOff,
      checkReplies: true,
    }),
  );
});
afterEach(async () => {
  expect(faults).toEqual([]);
  // The uploads are deleted after the answer.
  await expect.poll(leftovers).toEqual([]);
  bar.store.close();
  await rm(folder, { recursive: true });
});

const incoming = () => join(folder, 'pictures', 'incoming');
const leftovers = () => (existsSync(incoming()) ? readdirSync(incoming()) : []);

const post = () => request(app).post('/bar/photos');

/** Builds a multipart body, each part with its own headers. */
function wire(...parts: readonly (readonly [headers: string, content: string | Buffer])[]): Buffer {
  const lines = parts.flatMap(([headers, content]) => [
    Buffer.from(`--glass\r\n${headers}\r\n\r\n`, 'latin1'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...lines, Buffer.from('--glass--\r\n')]);
}

const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;

function send(body: Buffer, type = 'multipart/form-data; boundary=glass') {
  return post()
    .set('Content-Type', type)
    .serialize(() => body as unknown as string)
    .send(body);
}

test('fields are converted like form values, a file is on the disk during the request', async () => {
  const reply = await post()
    .field('title', 'Önü 🍺')
    .field('ml', '330')
    .attach('photo', Buffer.from('x'), 'a.jpg');
  expect(reply.body).toEqual({
    result: { title: 'Önü 🍺', ml: 330, files: [{ name: 'photo', isThere: true }] },
  });
});

test('accepts a form without fields', async () => {
  const reply = await send(wire());
  expect(reply.status).toBe(200);
  expect(reply.body.result).toEqual({ files: [] });
});

test('discards an undeclared file and an empty file field', async () => {
  const reply = await post()
    .attach('menu', Buffer.alloc(100_000), 'menu.pdf')
    .attach('photo', Buffer.alloc(0), { filename: '', contentType: 'application/octet-stream' });
  expect(reply.body).toEqual({ result: { files: [] } });
});

test('rejects a text in place of a file', async () => {
  expect((await post().field('photo', '')).body).toEqual({ result: { files: [] } });
  const reply = await post().field('photo', 'a.jpg').expect(400);
  expect(reply.body.error.fields).toEqual({ photo: 'must be sent as a file' });
});

test.each([
  ['a field sent twice', wire([field('ml'), '1'], [field('ml'), '2'])],
  ['a field and a file of one name', wire([field('photo'), ''], [`${field('photo')}; filename="a"`, 'x'])],
  ['a part without a name', wire(['Content-Disposition: form-data', '1'])],
  ['a name of 101 characters', wire([field('n'.repeat(101)), '1'])],
  ['a name that is not UTF-8', wire([field('m\xff'), '1'])],
  ['a value that is not UTF-8', wire([field('title'), Buffer.from([0x62, 0xff, 0x62])])],
  ['an unknown charset', wire([`${field('title')}\r\nContent-Type: text/plain; charset=klingon`, 'x'])],
  ['33 fields', wire(...Array.from({ length: 33 }, (_, i) => [field(`f${i}`), '1'] as const))],
  ['ten thousand fields', wire(...Array.from({ length: 10_000 }, (_, i) => [field(`f${i}`), ''] as const))],
  [
    '33 files',
    wire(...Array.from({ length: 33 }, (_, i) => [`${field(`f${i}`)}; filename="a"`, '1'] as const)),
  ],
  ['a truncated body', wire([field('ml'), '1']).subarray(0, -12)],
  ['a truncated file', wire([`${field('photo')}; filename="a"`, 'x'.repeat(9_000)]).subarray(0, 5_000)],
  ['malformed part headers', Buffer.from('--glass\r\nContent-Disposition\r\n\r\n1\r\n--glass--\r\n')],
  ['headers without end', Buffer.from(`--glass\r\nX-Beer: ${'x'.repeat(20_000)}\r\n\r\n1\r\n--glass--\r\n`)],
  ['a body that is not multipart', Buffer.from('ml=1')],
])('rejects %s', async (_what, body) => {
  const reply = await send(body);
  expect(reply.status).toBe(400);
  expect(reply.body.error.code).toBe('BadRequestError');
});

test('accepts 32 fields', async () => {
  const body = wire(...Array.from({ length: 32 }, (_, i) => [field(`f${i}`), '1'] as const));
  expect((await send(body)).status).toBe(200);
});

test('decodes a part by its charset', async () => {
  const body = wire([`${field('title')}\r\nContent-Type: text/plain; charset=latin1`, Buffer.from([0xd6])]);
  expect((await send(body)).body.result.title).toBe('Ö');
});

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'x'.repeat(201)}`,
  'multipart/form-data; boundary=glass; charset=latin1',
  'multipart/form-data;;; boundary',
])('rejects %s for its boundary', async (type) => {
  expect((await send(wire([field('ml'), '1']), type)).status).toBe(400);
});

test('accepts 64 KiB of fields and rejects one byte more', async () => {
  const maxLength = maxBodyBytes - 'title'.length;
  expect((await send(wire([field('title'), 'x'.repeat(maxLength)]))).status).toBe(200);
  expect((await send(wire([field('title'), 'x'.repeat(maxLength + 1)]))).status).toBe(413);
  const halves = wire([field('title'), 'x'.repeat(40_000)], [field('b'), 'x'.repeat(40_000)]);
  expect((await send(halves)).status).toBe(413);
});

test('accepts a file of 10 MiB and rejects one byte more', async () => {
  const photo = (length: number) => send(wire([`${field('photo')}; filename="a.jpg"`, Buffer.alloc(length)]));
  expect((await photo(maxPictureBytes)).body).toEqual({
    result: { files: [{ name: 'photo', isThere: true }] },
  });
  const reply = await photo(maxPictureBytes + 1);
  expect(reply.status).toBe(413);
  expect(reply.body.error.message).toContain('10 MiB');
});

test.each([1, 7, 30_000, 1_000_000])('reads a form that arrives in chunks of %i bytes', async (size) => {
  const large = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
  const body = Buffer.concat([
    wire(
      [field('title'), 'a\r\n--glas'],
      [`${field('photo')}; filename="a.jpg"`, size === 1 ? large.subarray(0, 500) : large],
      [`${field('menu')}; filename="menu.pdf"`, size === 1 ? 'x' : large],
      [field('ml'), ''],
      [`${field('label')}; filename="b.jpg"`, large.subarray(0, 20_000)],
    ),
    Buffer.from('an epilogue, which is ignored'),
  ]);
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
    body.subarray(i * size, (i + 1) * size),
  );
  const stored: Buffer[][] = [];
  const { fields } = await multipartReader.read(
    Object.assign(Readable.from(chunks, { objectMode: false }), {
      headers: { 'content-type': 'multipart/form-data; boundary=glass' },
    }) as unknown as IncomingMessage,
    {
      files: ['photo', 'label'],
      areFilesOptional: false,
      maxFileBytes: maxPictureBytes,
      createUpload: async (earlierFields) => {
        expect(earlierFields).toMatchObject({ title: 'a\r\n--glas' });
        const content: Buffer[] = [];
        stored.push(content);
        const stream = new Writable({
          write(chunk, _encoding, done) {
            content.push(chunk);
            setImmediate(done);
          },
        });
        return { upload: { stream } as unknown as Upload, maxBytes: maxPictureBytes };
      },
    },
    'known',
  );
  expect(fields).toEqual({ title: 'a\r\n--glas', ml: '' });
  expect(stored.map((content) => Buffer.concat(content).length)).toEqual([
    size === 1 ? 500 : 100_000,
    20_000,
  ]);
  expect(Buffer.concat(stored[1]!)).toEqual(large.subarray(0, 20_000));
});

test('stops reading an endless body', async () => {
  const body = wire([`${field('menu')}; filename="a"`, Buffer.alloc(30 * 1024 * 1024)]);
  const reply = await send(body).catch((fault: NodeJS.ErrnoException) => fault);
  // The client reads the error, or its connection is closed while it is still sending.
  if ('status' in reply) expect(reply.status).toBe(413);
  else expect(['EPIPE', 'ECONNRESET']).toContain(reply.code);
});

test('deletes the file of an interrupted upload', async () => {
  const server = app.listen(0);
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const head =
    'POST /bar/photos HTTP/1.1\r\nHost: bar\r\nContent-Type: multipart/form-data; boundary=glass\r\n';
  socket.write(`${head}Content-Length: 500000\r\n\r\n`);
  socket.write(wire([`${field('photo')}; filename="a.jpg"`, Buffer.alloc(100_000)]).subarray(0, 90_000));
  await expect.poll(leftovers).toHaveLength(1);
  socket.destroy();
  await expect.poll(leftovers).toEqual([]);
  server.close();
});

test('rejects a ninth concurrent upload', async () => {
  const held = Array.from({ length: 8 }, () => bar.engine.pictures.receive(0));
  const reply = await post().attach('photo', Buffer.from('x'), 'a.jpg').expect(503);
  expect(reply.headers['retry-after']).toBe('5');
  await Promise.all(held.map((one) => one.discard()));
});
