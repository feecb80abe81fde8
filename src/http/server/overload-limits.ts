const MiB = 1_048_576;

/**
 * Every limit that keeps memory, connections and time bounded, whatever clients do. Together they keep the process below
 * 200 MB: idle it has 105 MB, and each reason says what its limit may add. Limits against guessing are in `limits.ts`.
 */
export const overloadLimits = {
  /**
   * Open connections. In total: 200 live pages, 100 long polls, 20 controllers and a reserve, below the usual 1024 open
   * files; one costs about 15 kB. Per address: some dozens of browsers behind one router. A new connection replaces one
   * that waits for its client.
   */
  connections: { total: 500, perAddress: 200 },

  /**
   * Connections beyond those above that are left open for `holdMs` before they are closed, beside them; 256 cost 4 MB. The
   * first ones of an address in 10 s are closed at once, as are those beyond the total.
   */
  refusedConnections: { total: 256, perWindow: 5, windowMs: 10_000, holdMs: 3_000 },

  /**
   * Connections over TLS whose handshake is not complete, beside those above: a new one replaces the oldest of its address.
   * A handshake takes some milliseconds of processor time and two round trips. Per address and 10 s: a page that is opened
   * needs six, and the rest is for several people behind one router.
   */
  handshakes: { total: 96, perAddress: 24, perWindow: 200, windowMs: 10_000 },

  /** A handshake that is not complete after this time is ended, milliseconds, however many bytes arrive. */
  maxHandshakeMs: 10_000,

  /**
   * Bytes of answers that clients have not read, over all connections. 16 MiB: 25 of the largest answers (a list of 1000
   * drinks). Beyond it, connections of the address with the most unread bytes are closed.
   */
  maxUnreadBytes: 16 * MiB,

  /** A connection whose client reads nothing of the bytes that wait for it is closed after this time, milliseconds. */
  maxUnreadMs: 20_000,

  /** Bytes written at once of a body that is in memory, so that the progress of a slow reader is seen. */
  pieceBytes: 65_536,

  /** Bytes read at once from a file that is sent; 500 readers that stall hold 16 MiB. */
  fileReadBytes: 16_384,

  /**
   * Live streams in total: the pages of a full bar. A new one ends the oldest of the address with the most. While all are in
   * use, an address opens at most so many in 10 s, enough for the pages of several people behind one router; others are
   * refused, not at once, since their clients ask again at once.
   */
  streams: { total: 200, perWindow: 5, windowMs: 10_000, refusalMs: 5_000 },

  /** Bytes queued for a live stream beyond which it gets only the newest snapshot once it reads again. */
  streamBacklogBytes: 16_384,

  /**
   * Long polls, in total and per address: a bar has a few screens and a bot or two. A new one answers the oldest, but
   * not within its first second, since nine screens that share eight polls would else evict each other continuously.
   */
  longPolls: { total: 100, perAddress: 8, minWaitMs: 1_000 },

  /**
   * Uploads of clients whose key is a field of the body and has not arrived yet, per API: few, so that they cannot block
   * those that sent their key in a header. The engine limits all uploads to 8.
   */
  unidentifiedUploads: { total: 2 },

  /**
   * Refused bodies of at least so many bytes from senders who are not known: an address gets so many answers in 10 s at once,
   * enough for a person who mistypes; further ones are held back, since their clients send the next body at once.
   */
  refusedBodies: { minBytes: 1_024, perWindow: 5, windowMs: 10_000, refusalMs: 5_000 },

  /** Uploads of a large file (a backup to restore). */
  largeUploads: { total: 1 },

  /**
   * Answers that are compressed at once, and the largest: two of Node's four threads remain for files and passwords. Other
   * answers are sent as they are.
   */
  compressions: { total: 2, maxBytes: 2 * MiB },

  /** Exports: each reads the whole database from the SD card. A workbook takes up to 45 MB, so one is made at a time. */
  exports: { total: 3, workbooks: 1 },

  /** Time spent on requests before the event loop runs again, milliseconds: shorter than a visible pause of the odometer. */
  requestSliceMs: 5,

  /** The same after a new connection, since the next one is accepted only when the event loop runs again. */
  acceptSliceMs: 0.3,

  /**
   * While connections arrive, time for accepting them as a multiple of the time spent on requests: of 600 connections that
   * arrive at once the last would else wait for one request of each of the others.
   */
  acceptShare: 3,

  /** Connections that the kernel keeps until they are accepted: more than a burst of 600, or it delays some for seconds. */
  backlog: 1_024,

  /** Limits of Node's HTTP parser. */
  parser: {
    /** Bytes of a request's head. */
    maxHeaderSize: 16_384,
    /** Headers of a request, beyond which it is refused; browsers behind a proxy send 30. One costs up to 200 bytes of memory, however short. */
    maxHeadersCount: 100,
    /** Heads arrive in one or two packets; 10 s covers a poor link. */
    headersTimeout: 10_000,
    /** 64 KiB over a poor wireless link takes seconds, a picture half a minute. */
    requestTimeout: 60_000,
    /** Longer than a controller's pause between two pours of a busy hour, shorter than a proxy's time-out. */
    keepAliveTimeout: 15_000,
  },
} as const;
