import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../core/app-error.ts';
import type { Upload } from '../../engine/engine.ts';
import type { Fields } from '../routes/route.ts';
import { parseUrlencoded } from './urlencoded.ts';

/** The largest body of fields, bytes: far beyond any form, far below what would hurt a Pi. */
export const maxBodyBytes = 65_536;

/** How much of an oversized body is read and thrown away, bytes, so that its sender lives to read the refusal. */
export const maxDiscardedBytes = 1_048_576;

/** What a body carried. */
export interface ReadBody {
  readonly fields: Fields;
  /** True when the values are texts of a form, to be read by the rules of forms. */
  readonly areTexts: boolean;
  /** Files that came with them, by name. */
  readonly files?: ReadonlyMap<string, Upload>;
}

/** The largest picture, bytes: twice what a telephone makes. */
export const maxPictureBytes = 10 * 1024 * 1024;

/** Where a body's files go. */
export interface UploadTarget {
  /** Names of the files the route takes. */
  readonly files: readonly string[];
  /** The largest of them, bytes. */
  readonly maxFileBytes: number;
  /**
   * A new file on the disk, for as many bytes as there is room for; whoever gave the intake clears it away. Rejects with
   * what the fields `before` it are refused for.
   */
  createUpload(earlierFields: Fields): Promise<{ readonly upload: Upload; readonly maxBytes: number }>;
}

/** Reads one media type. A further type is a further reader in the edition's list. */
export interface BodyReader {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  read(request: IncomingMessage, uploadTarget: UploadTarget): Promise<ReadBody>;
}

/** Forms as browsers and `curl -d` send them. */
export const urlencodedReader: BodyReader = {
  mediaType: 'application/x-www-form-urlencoded',
  read: async (request) => ({ fields: parseUrlencoded(await readText(request)), areTexts: true }),
};

/** One JSON object; an empty body counts as an empty one. */
export const jsonReader: BodyReader = {
  mediaType: 'application/json',
  read: async (request) => ({ fields: parseObject(await readText(request)), areTexts: false }),
};

const emptyBody: ReadBody = { fields: {}, areTexts: false };

/** Reads the body with the reader for its type. Throws `wrong_media`, `too_large` or `invalid_request`. */
export async function readBody(
  request: IncomingMessage,
  readers: readonly BodyReader[],
  uploadTarget: UploadTarget,
): Promise<ReadBody> {
  const { 'content-type': contentType = '', 'content-length': length } = request.headers;
  const hasBody = request.headers['transfer-encoding'] !== undefined || (length ?? '0') !== '0';
  if (!hasBody) return emptyBody;
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const reader = readers.find((one) => one.mediaType === mediaType);
  if (!reader || (request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    const read = readers.map((one) => one.mediaType).join(', ');
    throw new AppError('wrong_media', `Send the body unpacked, as one of: ${read}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new AppError('invalid_request', 'Send the body as UTF-8.');
  }
  return reader.read(request, uploadTarget);
}

async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request, maxBodyBytes);
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'The body is not valid UTF-8.');
  // Some Windows programs put a mark of byte order in front.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** The whole body, at most `limit` bytes; beyond it, `too_large`. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () =>
      reject(
        new AppError('too_large', `The body is larger than ${Math.floor(limit / 1024)} KiB.`, {
          reason: { name: 'too_large', kilobytes: Math.floor(limit / 1024) },
        }),
      );
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > limit + maxDiscardedBytes) {
        request.pause();
        tooLarge();
      }
    });
    request.once('end', () => (size > limit ? tooLarge() : resolve(Buffer.concat(chunks))));
    // A whole body is followed by a close as well, and an error made for nothing is dear.
    const onBreak = () => {
      if (!request.readableEnded) reject(new AppError('invalid_request', 'The body broke off.'));
    };
    request.once('error', onBreak);
    request.once('close', onBreak);
  });
}

function parseObject(text: string): Fields {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_request', 'The body must be one JSON object.');
  }
  const duplicate = findDuplicateName(text);
  if (duplicate !== null) {
    const fault = 'is given twice; send it once';
    const field = duplicate.slice(0, 64);
    throw new AppError('invalid_request', `${field} ${fault}.`, { fields: { [field]: fault } });
  }
  return value as Fields;
}

/** JSON lets the last of two equal names win in silence; which of two volumes was poured, nobody could say. */
function findDuplicateName(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (isName && token.startsWith('"')) {
      const name = JSON.parse(token) as string;
      const names = open.at(-1)!;
      if (names?.has(name)) return name;
      names?.add(name);
    }
    isName = token === '{' || (token === ',' && open.at(-1) !== null);
  }
  return null;
}
