import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { AppError } from '../../core/app-error.ts';
import type { Upload } from '../../engine/engine.ts';
import {
  type BodyReader,
  maxBodyBytes,
  maxDiscardedBytes,
  maxPictureBytes,
  type ReadBody,
  type UploadTarget,
} from './read-body.ts';

/** More fields than any form of ours has. */
const maxFields = 100;
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

async function readMultipart(request: IncomingMessage, uploadTarget: UploadTarget): Promise<ReadBody> {
  const parser = createParser(request, uploadTarget);
  const form = createForm(uploadTarget, parser);
  await feed(request, parser, form);
  await form.allStored();
  if (form.fault !== null) throw form.fault;
  return { fields: form.fields, areTexts: true, files: form.files };
}

function createParser({ headers }: IncomingMessage, { maxFileBytes }: UploadTarget): Busboy {
  const boundary = /;\s*boundary=("[^"]*"|[^;]*)/i.exec(headers['content-type']!)?.[1]?.replaceAll('"', '');
  if (!boundary?.trim() || boundary.length > maxBoundaryLength) {
    throw new AppError('invalid_request', 'The multipart body has no valid boundary.');
  }
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: {
        fields: maxFields,
        fieldSize: maxBodyBytes + 1,
        files: maxFields,
        fileSize: maxFileBytes + 1,
        parts: maxFields + 10,
      },
    });
  } catch (cause) {
    throw new AppError('invalid_request', 'The multipart body cannot be parsed.', { cause });
  }
}

/** What has been read so far. The first fault stops the parser. */
interface Form {
  readonly fields: Record<string, string>;
  readonly files: Map<string, Upload>;
  readonly fault: unknown;
  /** Bytes that the whole body may have. A large file raises this once it is accepted. */
  readonly maxBytes: number;
  refuse(sentence: string, code?: 'invalid_request' | 'too_large'): void;
  /** Resolves when every file is stored or discarded. */
  allStored(): Promise<unknown>;
}

function createForm(uploadTarget: UploadTarget, parser: Busboy): Form {
  const fields: Record<string, string> = Object.create(null);
  const files = new Map<string, Upload>();
  const names = new Set<string>();
  const storing: Promise<void>[] = [];
  let fault: unknown = null;
  let fieldBytes = 0;
  let maxBytes =
    maxBodyBytes +
    maxOverheadBytes +
    uploadTarget.files.length * Math.min(maxPictureBytes, uploadTarget.maxFileBytes);

  const fail = (cause: unknown): void => {
    fault ??= cause;
    parser.destroy();
  };
  const refuse: Form['refuse'] = (sentence, code = 'invalid_request') => fail(new AppError(code, sentence));

  function checkName(name: string | undefined): name is string {
    if (name === undefined || name.length > maxNameLength || name.includes('�')) {
      refuse(`A part has no name, or one of more than ${maxNameLength} characters.`);
      return false;
    }
    if (names.has(name)) refuse('A field is sent twice; send it once.');
    names.add(name);
    return fault === null;
  }

  async function storeFile(name: string, file: Readable, isChosen: boolean): Promise<void> {
    try {
      const { upload, maxBytes: availableBytes } = await uploadTarget.createUpload({ ...fields });
      maxBytes = Math.max(maxBytes, maxBodyBytes + maxOverheadBytes + availableBytes);
      await pipeline(file, upload.stream);
      // A browser sends an empty file without a name for an empty file field.
      if (isChosen || file.readableDidRead) files.set(name, upload);
    } catch (cause) {
      file.resume();
      if (fault !== null) return;
      const sentence = 'The file cannot be stored: check that the disk is not full.';
      fail(cause instanceof AppError ? cause : new AppError('unavailable', sentence, { cause }));
    }
  }

  parser.on('field', (name: string | undefined, value: string | undefined) => {
    if (fault !== null || !checkName(name)) return;
    // A byte that is invalid in its charset arrives as U+FFFD or not at all.
    if (value === undefined || value.includes('�')) return refuse('A field is not valid UTF-8.');
    fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (fieldBytes > maxBodyBytes) return refuse('The fields are larger than 64 KiB.', 'too_large');
    if (value !== '' && uploadTarget.files.includes(name)) {
      return fail(
        new AppError('invalid_request', `${name} must be sent as a file.`, {
          fields: { [name]: 'must be sent as a file' },
        }),
      );
    }
    fields[name] = value;
  });
  parser.on('file', (name: string | undefined, file, { filename }) => {
    file.on('error', () => {});
    file.once('limit', () =>
      refuse(`The file is larger than ${formatMiB(uploadTarget.maxFileBytes)}.`, 'too_large'),
    );
    if (fault !== null || !checkName(name) || !uploadTarget.files.includes(name)) file.resume();
    else storing.push(storeFile(name, file, Boolean(filename)));
  });
  for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
    parser.on(limit, () => refuse(`More than ${maxFields} fields.`));
  }
  parser.on('error', () => refuse('The multipart body is malformed.'));

  return {
    fields,
    files,
    get fault() {
      return fault;
    },
    get maxBytes() {
      return maxBytes;
    },
    refuse,
    allStored: () => Promise.all(storing),
  };
}

/** Feeds the body to the parser. After a fault the rest is read up to a limit, so that the client reads the answer. */
async function feed(request: IncomingMessage, parser: Busboy, form: Form): Promise<void> {
  let bytes = 0;
  let bytesAfterFault = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > form.maxBytes) form.refuse('The body is too large.', 'too_large');
      if (form.fault !== null) bytesAfterFault += chunk.length;
      else if (!parser.write(chunk)) await waitForDrain(parser);
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
  if (form.fault === null) {
    const closed = new Promise((done) => parser.once('close', done));
    parser.end();
    await closed;
  }
}

const formatMiB = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;

/** Resolves when the parser accepts more data or has closed. */
const waitForDrain = (parser: Busboy): Promise<void> =>
  new Promise((done) => {
    const go = () => {
      parser.off('drain', go).off('close', go);
      done();
    };
    parser.on('drain', go).on('close', go);
  });
