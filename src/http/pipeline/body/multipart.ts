import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MIMEType } from 'node:util';
import { Dicer } from '@fastify/busboy';
import { AppError } from '../../../core/app-error.ts';
import type { Upload } from '../../../engine/engine.ts';
import type { Sender } from './json-fields.ts';
import {
  type BodyReader,
  isLong,
  maxBodyBytes,
  maxDiscardedBytes,
  maxIgnoredFileBytes,
  maxPictureBytes,
  type ReadBody,
  type UploadTarget,
} from './read-body.ts';

/** More fields than any form of ours has: each part costs far more time than its bytes. */
const maxParts = 32;
const tooManyParts = `More than ${maxParts} fields.`;
const maxNameLength = 100;

/** Longer than any client's; the standard allows 70. */
const maxBoundaryLength = 200;

/** Allowance for boundaries and part headers, bytes. */
const maxOverheadBytes = 65_536;

/** Reads forms with files, as browsers and `curl -F` send them. A file that the route does not accept is discarded. */
export const multipartReader: BodyReader = {
  mediaType: 'multipart/form-data',
  read: readMultipart,
};

async function readMultipart(
  request: IncomingMessage,
  uploadTarget: UploadTarget,
  sender: Sender,
): Promise<ReadBody> {
  // The `Busboy` class above `Dicer` skips a part with malformed headers, so that a value would be lost silently.
  const boundary = readBoundary(request);
  const parser = new Dicer({ boundary });
  const form = createForm(uploadTarget);
  let partCount = 0;
  let headerCount = 0;
  let parts: Promise<void> = Promise.resolve();
  parser.on('part', (part) => {
    partCount += 1;
    if (partCount > maxParts) form.refuse(tooManyParts);
    // The error also reaches whoever reads the part.
    part.on('error', () => {});
    if (form.fault !== undefined) {
      part.resume();
      return;
    }
    addAbortSignal(form.failed, part);
    part.once('header', (headers) => {
      headerCount += 1;
      // One after the other: the fields before a file decide whether it is accepted.
      parts = parts.then(() => form.readPart(headers as PartHeaders, part));
    });
  });
  parser.on('error', () => form.refuse('The multipart body is malformed.'));
  await feed(request, { parser, form, sender, countDelimiters: createDelimiterCounter(boundary) });
  if (headerCount < partCount) form.refuse('The multipart body is malformed.');
  await parts;
  if (form.fault !== undefined) throw form.fault;
  return { fields: form.fields, areTexts: true, files: form.files, leftOutFiles: form.leftOutFiles };
}

function readBoundary({ headers }: IncomingMessage): string {
  const boundary = /;\s*boundary=("[^"]*"|[^;]*)/i
    .exec(headers['content-type']!)?.[1]
    ?.replaceAll('"', '')
    .trim();
  if (!boundary || boundary.length > maxBoundaryLength) {
    throw new AppError('invalid_request', 'The multipart body has no valid boundary.');
  }
  return boundary;
}

/** Lower-case names; each character of a value is one byte. */
type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** What has been read so far. The first fault stops reading. */
type Form = ReturnType<typeof createForm>;

function createForm(uploadTarget: UploadTarget) {
  const fields: Record<string, string> = Object.create(null);
  const files = new Map<string, Upload>();
  const leftOutFiles = new Map<string, string>();
  const names = new Set<string>();
  const { areFilesOptional } = uploadTarget;
  const failure = new AbortController();
  setMaxListeners(maxParts + 10, failure.signal);
  let fieldBytes = 0;
  let maxBytes =
    maxBodyBytes +
    maxOverheadBytes +
    uploadTarget.files.length *
      (areFilesOptional ? maxIgnoredFileBytes : Math.min(maxPictureBytes, uploadTarget.maxFileBytes));

  const refusal = (sentence: string, code: 'invalid_request' | 'too_large' = 'invalid_request') =>
    new AppError(code, sentence);

  async function readPart(headers: PartHeaders, part: Readable): Promise<void> {
    if (failure.signal.aborted) return;
    try {
      const { name, filename, charset, mediaType } = readPartHeaders(headers);
      if (names.has(name) && areFilesOptional && uploadTarget.files.includes(name)) {
        part.resume();
        return;
      }
      if (names.has(name)) throw refusal('A field is sent twice; send it once.');
      names.add(name);
      const isFile = filename !== null || mediaType === 'application/octet-stream';
      if (!isFile) await readField(name, part, charset);
      else if (uploadTarget.files.includes(name)) await storeFile(name, part, Boolean(filename));
      else part.resume();
    } catch (cause) {
      failure.abort(cause instanceof AppError ? cause : refusal('The multipart body is malformed.'));
    }
  }

  async function readField(name: string, part: Readable, charset: string): Promise<void> {
    fieldBytes += Buffer.byteLength(name);
    const chunks: Buffer[] = [];
    for await (const chunk of part as AsyncIterable<Buffer>) {
      fieldBytes += chunk.length;
      if (fieldBytes > maxBodyBytes) throw refusal('The fields are larger than 64 KiB.', 'too_large');
      chunks.push(chunk);
    }
    const value = decodeText(Buffer.concat(chunks), charset);
    if (value !== '' && areFilesOptional && uploadTarget.files.includes(name)) {
      leftOutFiles.set(name, 'was not sent as a file');
      return;
    }
    if (value !== '' && uploadTarget.files.includes(name)) {
      throw new AppError('invalid_request', `${name} must be sent as a file.`, {
        fields: { [name]: 'must be sent as a file' },
      });
    }
    fields[name] = value;
  }

  async function storeFile(name: string, part: Readable, isChosen: boolean): Promise<void> {
    try {
      const created = await uploadTarget.createUpload({ ...fields });
      if (created === null) {
        leftOutFiles.set(name, 'could not be stored');
        part.resume();
        return;
      }
      const { upload, maxBytes: availableBytes } = created;
      maxBytes = Math.max(maxBytes, maxBodyBytes + maxOverheadBytes + availableBytes);
      let fileBytes = 0;
      await pipeline(
        part,
        async function* limit(source: AsyncIterable<Buffer>) {
          for await (const chunk of source) {
            fileBytes += chunk.length;
            if (fileBytes > uploadTarget.maxFileBytes) {
              if (areFilesOptional) continue;
              throw refusal(`The file is larger than ${formatMiB(uploadTarget.maxFileBytes)}.`, 'too_large');
            }
            yield chunk;
          }
        },
        upload.stream,
      );
      if (fileBytes > uploadTarget.maxFileBytes) {
        leftOutFiles.set(name, `is larger than ${formatMiB(uploadTarget.maxFileBytes)}`);
        return;
      }
      // A browser sends an empty file without a name for an empty file field.
      if (isChosen || fileBytes > 0) files.set(name, upload);
    } catch (cause) {
      if (cause instanceof AppError || failure.signal.aborted) throw cause;
      const sentence = 'The file cannot be stored: check that the disk is not full.';
      throw new AppError('unavailable', sentence, { cause });
    }
  }

  return {
    fields,
    files,
    leftOutFiles,
    failed: failure.signal,
    get fault(): unknown {
      return failure.signal.reason;
    },
    /** Bytes that the whole body may have. A large file raises this once it is accepted. */
    get maxBytes() {
      return maxBytes;
    },
    refuse: (...reason: Parameters<typeof refusal>) => failure.abort(refusal(...reason)),
    readPart,
  };
}

function readPartHeaders(headers: PartHeaders) {
  // The parameters of both headers have the grammar of a media type's.
  const disposition = new MIMEType(`multipart/${headers['content-disposition']?.[0]}`);
  const type = new MIMEType(headers['content-type']?.[0] ?? 'text/plain');
  const name = Buffer.from(disposition.params.get('name') ?? '', 'latin1').toString('utf8');
  if (
    disposition.subtype !== 'form-data' ||
    !name ||
    name.length > maxNameLength ||
    name.includes('\uFFFD')
  ) {
    throw new AppError(
      'invalid_request',
      `A part has no name, or one of more than ${maxNameLength} characters.`,
    );
  }
  return {
    name,
    filename: disposition.params.get('filename'),
    mediaType: type.essence,
    charset: type.params.get('charset') ?? 'utf-8',
  };
}

function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_request', 'A field is not valid UTF-8.');
  }
}

/**
 * Counts the delimiters of the parts in a body that arrives in pieces. The last one ends the body. The parser creates a stream
 * for each part of a piece before anything else runs, so they are counted before it gets the piece.
 */
function createDelimiterCounter(boundary: string): (piece: Buffer) => number {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let rest = Buffer.from('\r\n');
  let count = 0;
  return (piece) => {
    const bytes = Buffer.concat([rest, piece]);
    let end = 0;
    for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, end)) {
      end = at + delimiter.length;
      count += 1;
      if (count > maxParts + 1) break;
    }
    rest = bytes.subarray(Math.max(end, bytes.length - delimiter.length + 1));
    return count;
  };
}

/** Feeds the body to the parser. After a fault the rest is read up to a limit, so that the client reads the answer. */
async function feed(
  request: IncomingMessage,
  {
    parser,
    form,
    sender,
    countDelimiters,
  }: { parser: Dicer; form: Form; sender: Sender; countDelimiters: (piece: Buffer) => number },
): Promise<void> {
  let bytes = 0;
  let bytesAfterFault = 0;
  let isFinished = false;
  // Also resolves after a fault.
  const finished = once(parser, 'finish', { signal: form.failed })
    .catch(() => {})
    .then(() => {
      isFinished = true;
    });
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > form.maxBytes) form.refuse('The body is too large.', 'too_large');
      if (form.fault === undefined && !isFinished && countDelimiters(chunk) > maxParts + 1) {
        form.refuse(tooManyParts);
        // No form of ours has so many parts: the rest of a long body is not worth reading.
        if (sender === 'anonymous' && isLong(request)) break;
      }
      if (form.fault !== undefined) bytesAfterFault += chunk.length;
      // The parser does not always drain after the last part; what follows that part is ignored.
      else if (!isFinished && !parser.write(chunk)) await Promise.race([once(parser, 'drain'), finished]);
      if (bytesAfterFault > maxDiscardedBytes) break;
    }
  } catch {
    form.refuse('The body is incomplete.');
  }
  if (!request.readableEnded) {
    request.pause();
    return;
  }
  request.resume();
  if (!isFinished) parser.end();
  await finished;
}

const formatMiB = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;
