import { connect } from 'node:net';

/** A parsed raw answer. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; the last of several. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The client ends its side after this time, since some requests announce more bytes than they send; milliseconds. */
const idleMs = 300;

/** Sends bytes; returns the answer, or null if the connection was closed without one. Skips interim answers. */
export function exchange(port: number, bytes: Buffer): Promise<RawAnswer | null> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const idleTimer = setTimeout(() => socket.end(), idleMs);
    socket.setTimeout(10_000, () => socket.destroy(new Error('No answer within ten seconds.')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (fault: NodeJS.ErrnoException) => {
      // An invalid request is answered before it has arrived completely.
      if (fault.code !== 'ECONNRESET' && fault.code !== 'EPIPE') fail(fault);
    });
    socket.on('close', () => {
      clearTimeout(idleTimer);
      done(readAnswer(Buffer.concat(chunks)));
    });
  });
}

function readAnswer(bytes: Buffer): RawAnswer | null {
  const raw = bytes.toString('utf8');
  const text = raw.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first!.split(' ')[1]), headers, body: text.slice(end + 4) };
}
