// A disk with a write cache like that of SD cards: written data is durable only after a flush, and a power
// cut loses any part of the rest, sector by sector and in any order. A server of the network block device
// protocol on a Unix socket, as far as qemu uses it.
import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';

const sectorBytes = 512;
/**
 * ext4 reads its superblock before it can replay its journal, so the first 4 KiB are kept or lost as a whole.
 */
const lastOfFirstPage = 7;
const piece = (sector) => Math.max(sector, lastOfFirstPage);
const option = { structuredReply: 8, go: 7, abort: 2 };
const command = { read: 0, write: 1, disconnect: 2, flush: 3 };
const forced = 1; // a write that must be durable before it is acknowledged

/** Serves the image `file` on the socket `path`. */
export async function openVolatileDisk({ file, path }) {
  const image = openSync(file, 'r+');
  const size = fstatSync(image).size;
  /** Sectors that are written but not flushed. */
  let unflushed = new Map();
  let flushes = 0;
  let atNextFlush = null;
  const connections = new Set();

  const persist = (sector, bytes) => writeSync(image, bytes, 0, sectorBytes, sector * sectorBytes);
  const disk = {
    size,
    read(offset, length) {
      const bytes = Buffer.alloc(length);
      readSync(image, bytes, 0, length, offset);
      for (let at = 0; at < length; at += sectorBytes)
        unflushed.get((offset + at) / sectorBytes)?.copy(bytes, at);
      return bytes;
    },
    write(offset, bytes, isForced) {
      for (let at = 0; at < bytes.length; at += sectorBytes) {
        const sector = (offset + at) / sectorBytes;
        const part = bytes.subarray(at, at + sectorBytes);
        if (isForced) {
          unflushed.delete(sector);
          persist(sector, part);
        } else unflushed.set(sector, Buffer.from(part));
      }
    },
    flush() {
      if (atNextFlush !== null && unflushed.size > 0) {
        atNextFlush();
        return false;
      }
      flushes += 1;
      for (const [sector, bytes] of unflushed) persist(sector, bytes);
      unflushed.clear();
      return true;
    },
  };

  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket)).on('error', () => undefined);
    serveConnection(socket, disk).catch(() => socket.destroy());
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(path, resolve));

  return {
    flushes: () => flushes,
    /** Resolves at the machine's next flush, which is then neither executed nor acknowledged. */
    nextFlush: () =>
      new Promise((resolve) => {
        atNextFlush = resolve;
      }),
    /**
     * Cuts the power: each unflushed sector survives with this chance. Returns the number of unflushed and
     * lost sectors.
     */
    cut(chance, random) {
      // No request in transit may reach the disk afterwards.
      for (const socket of connections) socket.destroy();
      const pieces = new Set([...unflushed.keys()].map(piece));
      const keptPieces = new Set([...pieces].filter(() => random() < chance));
      const survivors = [...unflushed].filter(([sector]) => keptPieces.has(piece(sector)));
      for (const [sector, bytes] of survivors) persist(sector, bytes);
      const counts = { unflushed: unflushed.size, lost: unflushed.size - survivors.length };
      unflushed = new Map();
      atNextFlush = null;
      return counts;
    },
    close() {
      server.close();
      for (const socket of connections) socket.destroy();
      closeSync(image);
      rmSync(path, { force: true });
    },
  };
}

async function serveConnection(socket, disk) {
  const take = reader(socket);
  const hello = Buffer.alloc(18);
  hello.write('NBDMAGICIHAVEOPT');
  hello.writeUInt16BE(0b11, 16); // fixed newstyle, no zeroes
  socket.write(hello);
  await take(4);
  if (!(await negotiate(socket, take, disk.size))) return socket.end();

  for (;;) {
    const head = await take(28);
    const [flags, kind, length] = [head.readUInt16BE(4), head.readUInt16BE(6), head.readUInt32BE(24)];
    const offset = Number(head.readBigUInt64BE(16));
    const reply = Buffer.alloc(16);
    reply.writeUInt32BE(0x67446698, 0);
    head.copy(reply, 8, 8, 16);
    if (kind === command.disconnect) return socket.end();
    if (kind === command.read) {
      socket.write(Buffer.concat([reply, disk.read(offset, length)]));
      continue;
    }
    if (kind === command.write) disk.write(offset, await take(length), (flags & forced) !== 0);
    else if (kind === command.flush) {
      if (!disk.flush()) return;
    } else reply.writeUInt32BE(22, 4);
    socket.write(reply);
  }
}

/** Negotiates the options before the first request; true when the connection continues. */
async function negotiate(socket, take, size) {
  const answer = (requestedOption, kind, bytes = Buffer.alloc(0)) => {
    const head = Buffer.alloc(20);
    head.writeBigUInt64BE(0x3e889045565a9n, 0);
    head.writeUInt32BE(requestedOption, 8);
    head.writeUInt32BE(kind >>> 0, 12);
    head.writeUInt32BE(bytes.length, 16);
    socket.write(Buffer.concat([head, bytes]));
  };
  for (;;) {
    const head = await take(16);
    const requestedOption = head.readUInt32BE(8);
    await take(head.readUInt32BE(12));
    if (requestedOption === option.abort) return false;
    if (requestedOption !== option.go) {
      answer(requestedOption, 0x80000001);
      continue;
    }
    const about = Buffer.alloc(12);
    about.writeBigUInt64BE(BigInt(size), 2);
    about.writeUInt16BE(0b1101, 10); // flags given, flush, forced writes
    answer(requestedOption, 3, about);
    answer(requestedOption, 1);
    return true;
  }
}

/** Returns a function that reads a number of bytes; it rejects when the socket is closed before. */
function reader(socket) {
  const waiting = [];
  const parts = [];
  let held = 0;
  let isOver = false;
  const serve = () => {
    while (waiting.length > 0 && held >= waiting[0].length) {
      const { length, resolve } = waiting.shift();
      const all = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts.splice(0, parts.length, all.subarray(length));
      held -= length;
      resolve(all.subarray(0, length));
    }
    if (isOver)
      for (const { reject } of waiting.splice(0)) reject(new Error('The machine has disconnected.'));
  };
  socket.on('data', (bytes) => {
    parts.push(bytes);
    held += bytes.length;
    serve();
  });
  socket.on('close', () => {
    isOver = true;
    serve();
  });
  return (length) =>
    new Promise((resolve, reject) => {
      waiting.push({ length, resolve, reject });
      serve();
    });
}
