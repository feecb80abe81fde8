import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { AppError } from '../../../core/app-error.ts';
import type { Sender } from './json-fields.ts';
import { createForm, type Form, maxParts, type PartHeaders } from './multipart-form.ts';
import { type BodyReader, isLong, maxDiscardedBytes, type ReadBody, type UploadTarget } from './read-body.ts';

const tooManyParts = `More than ${maxParts} fields.`;

/** Longer than any client's; the standard allows 70. */
const maxBoundaryLength = 200;

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
