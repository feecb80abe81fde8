import type { IncomingMessage } from 'node:http';
import type { WireForm } from '../../routes/edition.ts';
import { kegbotForm } from './wire-forms.ts';

/** Nobody names a function at greater length. */
const maxNameLength = 128;

const part = String.raw`[$_\p{ID_Start}][$\p{ID_Continue}]*(?:\[\d+\])*`;
const functionName = new RegExp(String.raw`^${part}(?:\.${part})*$`, 'u');

const reserved = new Set(
  `abstract boolean break byte case catch char class const continue debugger default delete do double else enum
   export extends false final finally float for function goto if implements import in instanceof int interface long
   native new null package private protected public return short static super switch synchronized this throw throws
   transient true try typeof var void volatile while with yield`.split(/\s+/),
);

/** The function that a page of another site wants its answer handed to; null when none, or no legal name, is given. */
export function parseCallback({ url = '' }: IncomingMessage): string | null {
  const mark = url.indexOf('?');
  if (mark < 0 || !url.includes('callback=', mark)) return null;
  const name = new URLSearchParams(url.slice(mark + 1)).get('callback');
  return name !== null && isFunctionName(name) ? name : null;
}

function isFunctionName(name: string): boolean {
  if (name.length > maxNameLength || !functionName.test(name)) return false;
  return !name.split('.').some((word) => reserved.has(word.replace(/\[.*/, '')));
}

/** The kegbot form as a script that calls `callback` with the answer, whatever it is. */
export const jsonpForm = (callback: string): WireForm => ({
  ...kegbotForm,
  headers: {
    // A script tag of another site is the whole point of it. Nothing but the name is theirs in what they run.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // Its type is JSON by old custom, and a browser that may not look further would refuse to run it.
    'X-Content-Type-Options': null,
  },
  // Old browsers end a line of script at these two; JSON allows them.
  wrap: (json) => `${callback}(${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});`,
});
