// The smallest Express server with SQLite: the baseline of the daemon's memory.
import Sqlite from 'better-sqlite3';
import express from 'express';

const db = new Sqlite(process.argv[2]);
db.pragma('journal_mode = WAL');
const app = express();
app.get('/', (_request, response) => {
  response.json(db.prepare('SELECT 1 AS one').get());
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`);
});
