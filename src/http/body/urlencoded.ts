import { AppError } from '../../core/app-error.ts';
import type { Fields } from '../routes/route.ts';

/** More fields than any of our forms has. */
const maxFields = 200;

/** Parses `a=1&b=2`. Throws `invalid_request` for invalid encoding, a duplicate field and too many fields. */
export function parseUrlencoded(text: string): Fields {
  const fields: Record<string, string> = Object.create(null);
  let count = 0;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    count += 1;
    if (count > maxFields) throw new AppError('invalid_request', `More than ${maxFields} fields.`);
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name in fields) throw new AppError('invalid_request', 'A field is sent twice; send it once.');
    fields[name] = equals < 0 ? '' : decode(pair.slice(equals + 1));
  }
  return fields;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new AppError('invalid_request', 'A field is not valid percent-encoded UTF-8.');
  }
}
