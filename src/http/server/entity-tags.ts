import { hash } from 'node:crypto';
import type { Coding } from './compression.ts';

/** A longer list is not read: one tag of ours has 36 characters at most. */
const maxHeaderChars = 4_096;

/** One element of `If-Match` or `If-None-Match` (RFC 9110, section 8.8.3). */
const listElement = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;

/** What the condition of a request names. */
type Condition = '*' | readonly { readonly isWeak: boolean; readonly tag: string }[];

/**
 * Returns the content of the entity tag of a body. The tags are strong, since only strong ones can fulfil `If-Match`; SHA-1
 * is the fastest hash of Node on boards without instructions for SHA-2, and nobody gains by a collision.
 */
export const entityTag = (body: string | Buffer): string => hash('sha1', body, 'base64url');

/** Formats the header `ETag`. A compressed body is another sequence of bytes, so its strong tag is another one, too. */
export const formatEntityTag = (tag: string, coding: Coding | null): string =>
  coding === null ? `"${tag}"` : `"${tag}-${coding}"`;

/** Reads `If-Match` or `If-None-Match`; null if it is malformed or too long. */
export function parseCondition(header: string): Condition | null {
  if (header.length > maxHeaderChars) return null;
  if (header.trim() === '*') return '*';
  const tags = [];
  listElement.lastIndex = 0;
  while (listElement.lastIndex < header.length) {
    const element = listElement.exec(header);
    if (element === null) return null;
    if (element[2] !== undefined) tags.push({ isWeak: element[1] !== undefined, tag: element[2] });
  }
  return tags.length === 0 ? null : tags;
}

/** True if a tag is that of the body or of its compressed forms. */
const isTagOf = (tag: string, expected: string): boolean =>
  tag === expected || tag === `${expected}-br` || tag === `${expected}-gzip`;

/**
 * Returns the tag that the client has, for the answer 304; null if it has another body or none. Compares weakly, since a
 * proxy that compresses answers makes their tags weak.
 */
export function findKnownTag(header: string | undefined, expected: string): string | null {
  const condition = header === undefined ? null : parseCondition(header);
  if (condition === null) return null;
  if (condition === '*') return `"${expected}"`;
  const found = condition.find(({ tag }) => isTagOf(tag, expected));
  return found === undefined ? null : `"${found.tag}"`;
}

/** True if `If-Match` names the body. A weak tag never does (RFC 9110, section 13.1.1). */
export const namesBody = (condition: Condition, expected: string): boolean =>
  condition === '*' || condition.some(({ isWeak, tag }) => !isWeak && isTagOf(tag, expected));
