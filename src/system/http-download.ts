import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';

/** Without version or system: the publisher learns no more than that somebody asks. */
const userAgent = 'Tapster';

/** A server that is silent for this long is given up, milliseconds. */
const silenceMs = 60_000;

/** Why nothing was downloaded; `message` is one English sentence. */
export class DownloadFault extends Error {
  readonly kind: 'unreachable' | 'status' | 'too_large' | 'too_slow';
  /** The status that was answered; 0 without an answer. */
  readonly status: number;

  constructor(kind: DownloadFault['kind'], message: string, status = 0) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

interface Download {
  readonly url: string;
  /** For conditional requests. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** From the DNS lookup to the end of the body, milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Certificates of other authorities than the usual ones, PEM. */
  readonly ca?: string | undefined;
  /** Takes the body piece by piece. */
  readonly onBytes: (bytes: Buffer) => void;
}

/** What was answered; 304 without a body. */
export interface DownloadAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Downloads once: follows no redirect, sends no cookie, and reads at most `maxBytes`. Rejects with `DownloadFault`, or with what `onBytes` throws. */
export function download(options: Download): Promise<DownloadAnswer> {
  const { url: address, headers = {}, maxBytes, timeoutMs, signal, ca, onBytes } = options;
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const request = send(url, {
      headers: { ...headers, 'user-agent': userAgent, accept: '*/*' },
      // No socket stays open, and no TLS session by which the server could recognise the machine.
      agent: false,
      timeout: silenceMs,
      ...(ca === undefined ? {} : { ca }),
      ...(signal === undefined ? {} : { signal }),
    });
    const timer = setTimeout(() => fail(tooSlow()), timeoutMs);
    function fail(fault: unknown): void {
      clearTimeout(timer);
      reject(fault);
      request.destroy();
    }
    request.once('timeout', () => fail(tooSlow()));
    request.on('error', (fault: NodeJS.ErrnoException) =>
      fail(new DownloadFault('unreachable', `The server cannot be reached (${fault.code ?? fault.name}).`)),
    );
    request.once('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      if (status !== 200 && status !== 304)
        return fail(new DownloadFault('status', `The server answered with the status ${status}.`, status));
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > maxBytes)
          return fail(new DownloadFault('too_large', `The answer has more than ${maxBytes} bytes.`));
        try {
          onBytes(piece);
        } catch (fault) {
          fail(fault);
        }
      });
      response.once('close', () => {
        if (!response.complete)
          return fail(new DownloadFault('unreachable', 'The connection ended in the middle of the answer.'));
        clearTimeout(timer);
        resolve({ status, headers: answered });
      });
    });
    request.end();
  });
}

/** Downloads a small file into memory. Rejects with `DownloadFault`. */
export async function downloadBytes(
  options: Omit<Download, 'onBytes'>,
): Promise<DownloadAnswer & { readonly body: Buffer }> {
  const pieces: Buffer[] = [];
  const answer = await download({ ...options, onBytes: (piece) => void pieces.push(piece) });
  return { ...answer, body: Buffer.concat(pieces) };
}

const tooSlow = (): DownloadFault => new DownloadFault('too_slow', 'The server is too slow.');
