import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/app-error.ts';
import type { Upload } from '../../../engine/engine.ts';
import type { Fields } from '../../routes/route.ts';
import { parseUrlencoded } from './form-values.ts';
import { parseJsonFields, type Sender } from './json-fields.ts';

/** Maximum size of a body of fields, bytes: far larger than any form, small enough for a Pi. */
export const maxBodyBytes = 65_536;

/** Bytes of an oversized body that are read and discarded, so that the client can read the error. */
export const maxDiscardedBytes = 1_048_576;

/** The parsed body. */
export interface ReadBody {
  readonly fields: Fields;
  /** True when all values are texts of a form, to be converted by the schema. */
  readonly areTexts: boolean;
  /** Uploaded files by field name. */
  readonly files?: ReadonlyMap<string, Upload>;
  /** Names of the optional files that were left out, and why. */
  readonly leftOutFiles?: ReadonlyMap<string, string>;
}

/** Bytes of an optional file that are read, so that the fields after it are, too. */
export const maxIgnoredFileBytes = 100 * 1024 * 1024;

/** Maximum size of a picture, bytes: twice that of a phone's photo. */
export const maxPictureBytes = 10 * 1024 * 1024;

/** Accepts the files of a body. */
export interface UploadTarget {
  /** Field names of the files that the route accepts. */
  readonly files: readonly string[];
  /** Maximum size of a file, bytes. */
  readonly maxFileBytes: number;
  /** True if a file that does not fit is left out instead of refusing the body. */
  readonly areFilesOptional: boolean;
  /**
   * Creates a file on the disk for at most `maxBytes`; the provider of this object deletes it. Resolves to null if the
   * file is to be discarded. Rejects with the error of the `earlierFields`.
   */
  createUpload(earlierFields: Fields): Promise<{ readonly upload: Upload; readonly maxBytes: number } | null>;
}

/** Reads bodies of one media type. */
export interface BodyReader {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  read(request: IncomingMessage, uploadTarget: UploadTarget, sender: Sender): Promise<ReadBody>;
}

/** Reads forms as browsers and `curl -d` send them. */
export const urlencodedReader: BodyReader = {
  mediaType: 'application/x-www-form-urlencoded',
  read: async (request) => ({ fields: parseUrlencoded(await readText(request)), areTexts: true }),
};

/** Reads one JSON object; an empty body counts as an empty object. */
export const jsonReader: BodyReader = {
  mediaType: 'application/json',
  read: async (request, _uploadTarget, sender) => ({
    fields: parseJsonFields(await readText(request), sender),
    areTexts: false,
  }),
};

/** True for a request with a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Bytes of a body that are discarded after a refusal, so that its client reads the answer: more than any body of fields has. */
const maxUnreadBodyBytes = 131_072;

/** True for a body that is, or may be, longer than any body of fields. */
export const isLong = ({ headers }: IncomingMessage): boolean =>
  !(Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= maxUnreadBodyBytes);

/** Reads the body with the reader for its type. Throws `wrong_media`, `too_large` or `invalid_request`. */
export async function readBody(
  request: IncomingMessage,
  readers: readonly BodyReader[],
  { uploadTarget, sender }: { readonly uploadTarget: UploadTarget; readonly sender: Sender },
): Promise<ReadBody> {
  const { 'content-type': contentType = '' } = request.headers;
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const reader = readers.find((one) => one.mediaType === mediaType);
  if (!reader || (request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    const read = readers.map((one) => one.mediaType).join(', ');
    throw new AppError('wrong_media', `Send the body uncompressed, as one of: ${read}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new AppError('invalid_request', 'Send the body as UTF-8.');
  }
  return reader.read(request, uploadTarget, sender);
}

async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request, maxBodyBytes);
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'The body is not valid UTF-8.');
  // Some Windows programs prepend a byte order mark.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Parts of a body that are joined before more are read: a body that arrives byte by byte would else take 10 MB. */
const maxChunks = 64;

/** Reads the whole body. Rejects with `too_large` beyond `limit` bytes. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () =>
      reject(
        new AppError('too_large', `The body is larger than ${Math.floor(limit / 1024)} KiB.`, {
          reason: { name: 'too_large', kilobytes: Math.floor(limit / 1024) },
        }),
      );
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) chunks = [];
      else if (chunks.push(chunk) >= maxChunks) chunks = [Buffer.concat(chunks)];
      if (size > limit + maxDiscardedBytes) {
        request.pause();
        tooLarge();
      }
    });
    request.once('end', () => (size > limit ? tooLarge() : resolve(Buffer.concat(chunks))));
    // `close` also follows a complete body; creating an unused error costs time.
    const onClose = () => {
      if (!request.readableEnded) reject(new AppError('invalid_request', 'The body is incomplete.'));
    };
    request.once('error', onClose);
    request.once('close', onClose);
  });
}
