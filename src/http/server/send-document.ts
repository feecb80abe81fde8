import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  acceptedCoding,
  addVary,
  compressShared,
  isCompressible,
  minCompressedBytes,
} from './compression.ts';
import { entityTag, findKnownTag, formatEntityTag } from './entity-tags.ts';
import { sendShared } from './send-bytes.ts';

/** Tags of documents, garbage-collected with them. */
const tags = new WeakMap<Buffer, string>();

function documentTag(bytes: Buffer): string {
  const tag = tags.get(bytes) ?? entityTag(bytes);
  tags.set(bytes, tag);
  return tag;
}

interface SharedDocument {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** False for an API whose answers are never cached. */
  readonly isTagged?: boolean;
}

/**
 * Answers a read with a document in memory that several clients share and that never changes: as 304 if the client has it,
 * else compressed if the client accepts that. Document and compressed copies are made once. Other headers are already set.
 */
export async function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, mediaType, isTagged = true }: SharedDocument,
): Promise<void> {
  addVary(response, 'Accept-Encoding');
  const tag = isTagged ? documentTag(bytes) : null;
  const knownTag = tag === null ? null : findKnownTag(request.headers['if-none-match'], tag);
  if (knownTag !== null) {
    response.setHeader('ETag', knownTag);
    response.statusCode = 304;
    response.end();
    return;
  }
  const isLarge = bytes.length >= minCompressedBytes && isCompressible(mediaType);
  const coding = isLarge ? acceptedCoding(request) : null;
  const copy = coding === null ? null : await compressShared(bytes, coding);
  if (copy !== null) response.setHeader('Content-Encoding', coding!);
  if (tag !== null) response.setHeader('ETag', formatEntityTag(tag, copy === null ? null : coding));
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', (copy ?? bytes).length);
  sendShared(response, copy ?? bytes);
}
