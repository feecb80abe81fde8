import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { extensions } from '../../../src/extensions/all.ts';
import type { PourMessage, SnapshotMessage } from '../../../src/http/live/shapes.ts';

/** As strict as the daemon's policy: the browser rejects inline and foreign styles and scripts. */
const contentPolicy =
  "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'";

const webFolder = join(import.meta.dirname, '../../../dist/web');

/** A JSON request that the page posted. */
export interface PostedRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: unknown;
}

/** Serves the built page on a real port, with a live stream controlled by the test. */
export interface FakeDaemon {
  readonly url: string;
  readonly postedRequests: readonly PostedRequest[];
  /** Number of times a page has opened the live stream. */
  readonly connectionCount: number;
  /** Sends the whole state to all streams, and to later ones when they connect. */
  sendSnapshot(snapshot: SnapshotMessage): void;
  sendPour(message: PourMessage): void;
  /** Answers `GET /api/taps` with these details of the beverages, by tap id. */
  setBeverages(beverages: ReadonlyMap<string, object>): void;
  /** Rejects posts with this message and status 403; null accepts them again. */
  rejectPosts(sentence: string | null): void;
  /** Closes the port and all streams. */
  stop(): Promise<void>;
  /** Opens the same port again. */
  restart(): Promise<void>;
}

/** Starts a server for dist/web with the strict content policy and a live stream. With `isStaff` anna is logged in. */
export async function startFakeDaemon(
  initialSnapshot: SnapshotMessage,
  { isStaff = false } = {},
): Promise<FakeDaemon> {
  const user = isStaff ? { username: 'anna', is_staff: true, is_superuser: false } : null;
  const streams = new Set<ServerResponse>();
  const postedRequests: PostedRequest[] = [];
  let snapshot = initialSnapshot;
  let rejection: string | null = null;
  let server: Server;
  let connectionCount = 0;
  let beveragesByTap: ReadonlyMap<string, object> = new Map();

  const indexPage = readFileSync(join(webFolder, 'index.html'), 'utf8');
  const app = express();
  app.use((_request, response, next) => {
    response.set('Content-Security-Policy', contentPolicy);
    next();
  });
  app.get('/api/live', (request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    send(response, 'snapshot', snapshot);
    streams.add(response);
    connectionCount += 1;
    request.on('close', () => streams.delete(response));
  });
  app.get('/api/users/me', (_request, response) => {
    const features = extensions.map(({ name }) => name);
    response.json({ result: { user, site: { is_setup: true, privacy: 'public' }, features } });
  });
  app.post(['/api/simulator/pulses', '/api/clock'], express.json(), (request, response) => {
    postedRequests.push({
      path: request.path,
      contentType: request.get('content-type') ?? '',
      body: request.body,
    });
    if (rejection === null) response.json({ result: {} });
    else response.status(403).json({ error: { code: 'PermissionDeniedError', message: rejection } });
  });
  app.get('/api/taps', (_request, response) => {
    const taps = snapshot.taps.map(({ id }) => ({ tap: { id }, beverage: beveragesByTap.get(id) ?? null }));
    response.json({ result: { taps } });
  });
  app.use(express.static(webFolder));
  app.get(/^\/[a-z-]+$/, (_request, response) => {
    response.type('html').send(indexPage.replace('<head>', '<head><base href="./">'));
  });

  async function listen(port: number) {
    server = createServer(app).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}/`,
    postedRequests,
    get connectionCount() {
      return connectionCount;
    },
    sendSnapshot(next) {
      snapshot = next;
      for (const stream of streams) send(stream, 'snapshot', snapshot);
    },
    sendPour(message) {
      for (const stream of streams) send(stream, 'pour', message);
    },
    setBeverages(beverages) {
      beveragesByTap = beverages;
    },
    rejectPosts(sentence) {
      rejection = sentence;
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async restart() {
      await listen(port);
    },
  };
}

function send(response: ServerResponse, event: string, data: unknown) {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
