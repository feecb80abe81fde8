// A process that sends requests back to back. Each line on stdin is one run, `{port, request, clients, ms}`; each line
// on stdout its result, `{answers, ms}`. `{second}` in a request is another Unix second each time, since a pour posted again
// with the same time is not recorded again. It uses plain sockets, since an HTTP client would dominate the measurement.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const headEnd = Buffer.from('\r\n\r\n');

let second = 1_600_000_000;

const nextRequest = (request) => request.replaceAll('{second}', String(second++));

/** Repeats the request on one connection until `isOver`; returns the number of replies. */
function runClient(port, request, isOver) {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let received = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(nextRequest(request)));
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf(headEnd);
      if (end < 0) return;
      const head = received.latin1Slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(received.toString()));
      if (received.length < end + 4 + length) return;
      received = received.subarray(end + 4 + length);
      answers += 1;
      if (!isOver()) return void socket.write(nextRequest(request));
      socket.end();
      resolve(answers);
    });
  });
}

async function run({ port, request, clients, ms }) {
  const started = performance.now();
  const isOver = () => performance.now() - started >= ms;
  const answers = await Promise.all(Array.from({ length: clients }, () => runClient(port, request, isOver)));
  return { answers: answers.reduce((sum, one) => sum + one, 0), ms: performance.now() - started };
}

for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
}
