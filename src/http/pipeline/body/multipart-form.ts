import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MIMEType } from 'node:util';
import { AppError } from '../../../core/app-error.ts';
import type { Upload } from '../../../engine/engine.ts';
import { maxBodyBytes, maxIgnoredFileBytes, maxPictureBytes, type UploadTarget } from './read-body.ts';

/** More fields than any form of ours has: each part costs far more time than its bytes. */
export const maxParts = 32;

const maxNameLength = 100;

/** Allowance for boundaries and part headers, bytes. */
const maxOverheadBytes = 65_536;

/** Lower-case names; each character of a value is one byte. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** What has been read so far. The first fault stops reading. */
export type Form = ReturnType<typeof createForm>;

export function createForm(uploadTarget: UploadTarget) {
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

const formatMiB = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;
