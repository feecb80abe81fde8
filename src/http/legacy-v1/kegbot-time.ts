import Type from 'typebox';

/** UTC with a numeric offset, and microseconds unless they are zero: the format that existing controllers parse. */
export const KegbotTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{6})?\\+00:00$',
  description: 'UTC time with `+00:00`; microseconds left out when zero.',
});

/** Formats Unix milliseconds as `KegbotTime`. */
export function kegbotTime(wallMs: number): string {
  const iso = new Date(wallMs).toISOString();
  const millis = iso.slice(20, 23);
  return `${iso.slice(0, 19)}${millis === '000' ? '' : `.${millis}000`}+00:00`;
}
