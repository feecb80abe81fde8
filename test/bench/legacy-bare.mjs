// Bare Express: replies to `/api/v1/taps` and `/api/v1/status` with the bytes of a file, and stores a posted pour as one durable row. The
// baseline of the legacy API's speed.
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import express from 'express';

const [databasePath, answersPath] = process.argv.slice(2);
const { taps, status, drink } = JSON.parse(readFileSync(answersPath, 'utf8'));
const db = new Sqlite(databasePath);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(
  'CREATE TABLE drinks (id INTEGER PRIMARY KEY, meter TEXT, ticks INTEGER, at INTEGER, rest TEXT) STRICT',
);
const insert = db.prepare('INSERT INTO drinks (meter, ticks, at, rest) VALUES (?, ?, ?, ?)');

const app = express();
app.get('/api/v1/taps', (_request, response) => response.type('json').send(taps));
app.get('/api/v1/status', (_request, response) => response.type('json').send(status));
app.post('/api/v1/taps/:meter', express.urlencoded({ extended: false }), (request, response) => {
  insert.run(request.params.meter, Number(request.body.ticks), Date.now(), JSON.stringify(request.body));
  response.type('json').send(drink);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`);
});
