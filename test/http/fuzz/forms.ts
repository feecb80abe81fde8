import fc from 'fast-check';
import { type Resolve, type Schema, validValues } from './from-schema.ts';

/** A multipart form with texts and files. */
export interface Form {
  readonly kind: 'form';
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly files: readonly (readonly [name: string, bytes: Uint8Array])[];
}

export const isForm = (body: unknown): body is Form =>
  typeof body === 'object' && body !== null && (body as Partial<Form>).kind === 'form';

/** A PNG of one transparent pixel. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

const isFile = (schema: Schema): boolean =>
  (schema as { readonly contentMediaType?: string }).contentMediaType === 'application/octet-stream';

/**
 * Generates forms for an operation: mostly with its files, sometimes without, with an invalid one or an extra field;
 * `isExact`: always with all files and without extra fields.
 */
export function forms(
  schema: Schema,
  resolve: Resolve,
  known: readonly unknown[],
  { isExact = false } = {},
): fc.Arbitrary<Form> {
  const { properties = {}, required = [] } = resolve(schema);
  const names = Object.keys(properties);
  const fileNames = names.filter((name) => isFile(properties[name]!));
  const texts = Object.fromEntries(
    names
      .filter((name) => !fileNames.includes(name))
      .map((name) => [name, validValues(properties[name]!, resolve, known).map(toSendableText)]),
  );
  const picture = fc.constant<Uint8Array>(dot);
  const bytes = isExact
    ? picture
    : fc.oneof(
        { arbitrary: picture, weight: 5 },
        fc.uint8Array({ maxLength: 200 }),
        fc.constant<Uint8Array>(dot.subarray(0, 40)),
      );
  const files = fc.tuple(
    ...fileNames.map((name) =>
      (isExact ? bytes : fc.option(bytes, { freq: 6 })).map((one) => [name, one] as const),
    ),
  );
  const odd = isExact
    ? fc.constant(null)
    : fc.option(
        fc.tuple(
          fc.constantFrom('whisky', ...fileNames, ...Object.keys(texts)),
          fc.string().map(toSendableText),
        ),
        { freq: 6 },
      );
  return fc
    .record({
      texts: fc.record(texts, {
        requiredKeys: required.filter((name) => name in texts),
        noNullPrototype: true,
      }),
      files,
      odd,
    })
    .map(({ texts: sentTexts, files: sentFiles, odd: more }) => ({
      kind: 'form',
      texts: [...Object.entries(sentTexts), ...(more === null ? [] : [more])] as [string, string][],
      files: sentFiles.flatMap(([name, one]) => (one === null ? [] : [[name, one] as const])),
    }));
}

/** Converts a form for `fetch`. */
export function toFormData({ texts, files }: Form): FormData {
  const data = new FormData();
  for (const [name, text] of texts) data.append(name, text);
  for (const [name, bytes] of files) data.append(name, new Blob([Uint8Array.from(bytes)]), `${name}.png`);
  return data;
}

/** Converts a value to a text without lone surrogates, which cannot be sent. */
const toSendableText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{Surrogate}/gu, '');
