import { connect } from 'node:net';

/** A parsed raw answer. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; the last of several. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * The client ends its side when this time passes without a byte, since some requests announce more bytes than they
 * send, and some connections stay open after the answer; milliseconds. Node drops an answer that is not ready when
 * the client ends its side, so after a whole request the client first waits for the beginning of the answer.
 */
const idleMs = 300;

/** Sends bytes; returns the answer, or null if the connection was closed without one. Skips interim answers. */
export function exchange(port: number, bytes: Buffer): Promise<RawAnswer | null> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    const isHead = /^head /i.test(bytes.toString('latin1', 0, 5));
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let idleTimer = isWholeRequest(bytes) ? undefined : setTimeout(() => socket.end(), idleMs);
    socket.setTimeout(10_000, () => socket.destroy(new Error('No answer within ten seconds.')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(idleTimer);
      // On a busy machine a long answer may pause.
      if (isHead || !isCutOff(chunks)) idleTimer = setTimeout(() => socket.end(), idleMs);
    });
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

/** Whether an answer announces more bytes than it has so far. */
function isCutOff(chunks: readonly Buffer[]): boolean {
  const answer = readAnswer(Buffer.concat(chunks));
  return Buffer.byteLength(answer?.body ?? '') < Number(answer?.headers.get('content-length') ?? 0);
}

/** Whether the bytes hold a request's head and at least as many bytes of body as it announces. */
function isWholeRequest(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const head = bytes.toString('latin1', 0, headEnd);
  if (/^transfer-encoding:/im.test(head)) return false;
  const announced = Number(/^content-length:\s*(\d+)\s*$/im.exec(head)?.[1] ?? 0);
  return bytes.length - headEnd - 4 >= announced;
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
