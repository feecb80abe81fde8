import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { afterEach, expect, test } from 'vitest';
import { createMessageClasses, type MessageClasses } from '../../../src/http/server/message-classes.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function get(classes: MessageClasses, listener: RequestListener, headers = {}): Promise<string> {
  const server = createServer(classes.options, listener).listen(0, '127.0.0.1');
  stops.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
}

const answerAddress = (trustsProxy: boolean): Express =>
  express()
    .set('trust proxy', trustsProxy ? 1 : false)
    .get('/', (request, response) => void response.json({ address: request.ip }));

const forwarded = { 'X-Forwarded-For': '192.0.2.7' };

test('Express leaves the prototypes of requests and answers as the server created them', async () => {
  const classes = createMessageClasses();
  const app = answerAddress(false);
  classes.use(app);
  const prototypes: unknown[] = [];
  await get(classes, (request, response) => {
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
  });
  const { IncomingMessage: Request, ServerResponse: Response } = classes.options;
  const own = [Request.prototype, Response.prototype];
  expect(prototypes).toHaveLength(4);
  for (const [i, prototype] of prototypes.entries()) expect(prototype).toBe(own[i % 2]);
});

test('a request has the settings of the app that answers it', async () => {
  const classes = createMessageClasses();
  const app = answerAddress(true);
  classes.use(app);
  expect(await get(classes, app, forwarded)).toBe('{"address":"192.0.2.7"}');
});

test('after an app was replaced, requests have the settings of the new one', async () => {
  const classes = createMessageClasses();
  classes.use(answerAddress(true));
  const app = answerAddress(false);
  classes.use(app);
  expect(await get(classes, app, forwarded)).toBe('{"address":"127.0.0.1"}');
});

test('an app that was not given the classes sets its own prototypes', async () => {
  const classes = createMessageClasses();
  classes.use(answerAddress(true));
  expect(await get(classes, answerAddress(false), forwarded)).toBe('{"address":"127.0.0.1"}');
});
