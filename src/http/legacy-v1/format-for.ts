import type { IncomingMessage } from 'node:http';
import type { ReplyFormat } from '../routes/reply-format.ts';
import { kegbotFormat, referenceFormat } from './reply-formats.ts';

/** Bounds the length of the callback name. */
const maxNameLength = 128;

const part = String.raw`[$_\p{ID_Start}][$\p{ID_Continue}]*(?:\[\d+\])*`;
const functionName = new RegExp(String.raw`^${part}(?:\.${part})*$`, 'u');

const reserved = new Set(
  `abstract boolean break byte case catch char class const continue debugger default delete do double else enum
   export extends false final finally float for function goto if implements import in instanceof int interface long
   native new null package private protected public return short static super switch synchronized this throw throws
   transient true try typeof var void volatile while with yield`.split(/\s+/),
);

/** The callback function named in the query; null when it is absent or not a valid JavaScript name. */
function parseCallback(request: IncomingMessage): string | null {
  const name = queryText(request, 'callback');
  return name !== null && isFunctionName(name) ? name : null;
}

/** The first value of a query parameter, read before the query is validated. */
function queryText({ url = '' }: IncomingMessage, name: string): string | null {
  const mark = url.indexOf('?');
  if (mark < 0 || !url.includes(`${name}=`, mark)) return null;
  return new URLSearchParams(url.slice(mark + 1)).get(name);
}

function isFunctionName(name: string): boolean {
  if (name.length > maxNameLength || !functionName.test(name)) return false;
  return !name.split('.').some((word) => reserved.has(word.replace(/\[.*/, '')));
}

/**
 * Returns the reply format of a request: kegbot for the header that existing controllers send with every request, even when
 * it is empty, for `?format=kegbot`, and for JSONP, since a script tag sends no header. A key in the query says nothing.
 */
export function legacyFormatFor(request: IncomingMessage): ReplyFormat {
  const callback = parseCallback(request);
  if (callback !== null) return jsonpFormat(callback);
  const isKegbot =
    request.headers['x-kegbot-api-key'] !== undefined || queryText(request, 'format') === 'kegbot';
  return isKegbot ? kegbotFormat : referenceFormat;
}

/** The kegbot format as a script that calls `callback` with the reply, errors included. */
export const jsonpFormat = (callback: string): ReplyFormat => ({
  ...kegbotFormat,
  headers: {
    // JSONP is loaded by script tags of other sites; only the callback name is under their control.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // The media type is JSON for compatibility; with `nosniff`, browsers refuse to run it as a script.
    'X-Content-Type-Options': null,
  },
  // JSON allows U+2028 and U+2029, but old browsers treat them as line ends in scripts.
  wrap: (json) => `${callback}(${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});`,
});
