// Connections that pipeline requests and read the answers slowly or not at all. Runs in a process of its own, so that it
// does not delay the measurements. Each line on stdin is one attack, `{port, seconds, mode, connections, addresses,
// pipelined, requests}`; the reply on stdout is `{opened}`.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** Reads exactly one byte whenever it is resumed. */
const oneByte = { buffer: Buffer.alloc(1), callback: () => false };

async function attack({ port, seconds, mode, connections, addresses, pipelined, requests }) {
  const endMs = performance.now() + seconds * 1_000;
  const sockets = new Set();
  let opened = 0;
  for (let i = 0; performance.now() < endMs; i = (i + 1) % 1_000_000) {
    if (sockets.size >= connections) {
      await pause(100);
      continue;
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: `127.0.1.${1 + (i % addresses)}`,
      ...(mode === 'slow' ? { onread: oneByte } : {}),
    });
    sockets.add(socket);
    opened += 1;
    socket.on('error', () => {});
    // A connection that was closed is opened again, with the next request.
    socket.on('close', () => sockets.delete(socket));
    socket.write(requests[i % requests.length].repeat(pipelined));
    if (mode === 'read') socket.resume();
    if (mode === 'unread') socket.pause();
    if (mode === 'slow') {
      const timer = setInterval(() => socket.resume(), 1_000);
      socket.on('close', () => clearInterval(timer));
    }
    if (opened % 20 === 0) await pause(1);
    if (opened > 2 * connections && opened % 20 === 0) await pause(50);
  }
  for (const socket of sockets) socket.destroy();
  return { opened };
}

for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await attack(JSON.parse(line)))}\n`);
}
