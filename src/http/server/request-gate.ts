import type { Socket } from 'node:net';

const headEnd = '\r\n\r\n';

/**
 * Bytes of a body that are passed on at once, whatever they look like: a form has the end of a head in each of its parts, and the
 * parser would be called for each. So many bytes are at most some 900 pipelined requests.
 */
const bodyPieceBytes = 16_384;

/** Controls what Node's HTTP parser gets of the bytes of one connection. */
export interface RequestGate {
  /** Passes on held bytes as far as allowed, and reads the socket again once all are passed on. */
  update(): void;
}

/**
 * Passes the bytes of a connection to Node's HTTP parser head by head, as long as `mayParse` allows. Node itself parses
 * all requests of a packet at once: 64 KiB of pipelined requests are 3600 request objects, and as many answers in memory.
 * While bytes are held the socket is not read. `isInBody` tells whether the next bytes belong to a body.
 */
export function createRequestGate(
  socket: Socket,
  mayParse: () => boolean,
  isInBody: () => boolean,
): RequestGate {
  // The parser reads the socket itself unless a `data` listener is added, and is then fed by its own `data` listener.
  const parse = socket.listeners('data')[0] as ((bytes: Buffer) => void) | undefined;
  if (parse === undefined) return { update() {} };
  let held: Buffer | null = null;
  let isReading = true;
  let isUpdating = false;

  function setReading(reading: boolean): void {
    if (isReading === reading) return;
    isReading = reading;
    if (reading) socket.resume();
    else socket.pause();
  }

  function update(): void {
    // Parsing may answer a request, which calls this again.
    if (isUpdating) return;
    isUpdating = true;
    while (held !== null && mayParse() && !socket.destroyed) {
      const end = held.indexOf(headEnd, isInBody() ? bodyPieceBytes : 0) + headEnd.length;
      const isLast = end < headEnd.length || end === held.length;
      const bytes: Buffer = isLast ? held : held.subarray(0, end);
      held = isLast ? null : held.subarray(end);
      // Before the last part, since the parser pauses the socket itself when nobody reads the body.
      if (isLast) setReading(true);
      parse!(bytes);
    }
    isUpdating = false;
    if (held !== null) setReading(false);
  }

  socket.off('data', parse);
  socket.on('data', (bytes: Buffer) => {
    held = held === null ? bytes : Buffer.concat([held, bytes]);
    // Reading the body of a request resumes the socket.
    isReading = true;
    update();
  });
  return { update };
}
