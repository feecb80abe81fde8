import { type ParsedMessage, type Placeholder, parseMessage } from './parse-message.ts';

/** The texts of one language: flat keys with dots between groups, values in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, string>>;
/** Values of the placeholders of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

type KeyOf<Messages> = keyof Messages & string;
type Args<Messages, Key extends keyof Messages> =
  Messages[Key] extends Readonly<Record<never, never>>
    ? keyof Messages[Key] extends never
      ? []
      : [values: Messages[Key]]
    : never;

/** Keys of the texts without placeholders. */
export type PlainKeyOf<Messages> = {
  [Key in KeyOf<Messages>]: Args<Messages, Key> extends [] ? Key : never;
}[KeyOf<Messages>];

type GroupOf<Key extends string> = Key extends `${infer Head}.${infer Tail}`
  ? Head | `${Head}.${GroupOf<Tail>}`
  : never;
/** A common beginning of keys, without its last dot. */
export type GroupOfMessages<Messages> = GroupOf<KeyOf<Messages>>;

/** The functions that return the texts of a language; `Messages` maps each key to the values that its text needs. */
export interface TranslatorOf<Messages> {
  readonly language: string;
  /** Returns the text of a key with its placeholders replaced. */
  t<Key extends KeyOf<Messages>>(key: Key, ...values: Args<Messages, Key>): string;
  /** Returns a text by a name that is known at run time only; undefined when the language has none. */
  findText(
    group: GroupOfMessages<Messages>,
    name: string | number,
    values?: MessageValues,
  ): string | undefined;
  /** Returns the texts of a group by their names, in alphabetical order. */
  listTexts(group: GroupOfMessages<Messages>): Readonly<Record<string, string>>;
}

/** Creates the functions that return the texts of a language. */
export function createTranslator<Messages>(language: string, catalogue: Catalogue): TranslatorOf<Messages> {
  const pluralRules = new Intl.PluralRules(language);
  const numberFormat = new Intl.NumberFormat(language);
  const parsed = new Map<string, ParsedMessage>();

  function format(message: string, values: MessageValues): string {
    if (!message.includes('{')) return message;
    const parts = parsed.get(message) ?? parseMessage(message);
    parsed.set(message, parts);
    return formatParts(parts, values);
  }

  function formatParts(parts: ParsedMessage, values: MessageValues): string {
    return parts.map((part) => (typeof part === 'string' ? part : formatPlaceholder(part, values))).join('');
  }

  function formatPlaceholder({ name, type, forms }: Placeholder, values: MessageValues): string {
    const value = values[name] ?? '';
    if (type === 'text') return String(value);
    if (type === 'number') return numberFormat.format(Number(value));
    const form = type === 'select' ? String(value) : pluralForm(Number(value), forms);
    return formatParts(forms[form] ?? forms.other ?? [], values);
  }

  function pluralForm(count: number, forms: Placeholder['forms']): string {
    return forms[`=${count}`] ? `=${count}` : pluralRules.select(count);
  }

  return {
    language,
    t: (key, ...[values]) => format(catalogue[key] ?? key, (values ?? {}) as MessageValues),
    findText(group, name, values = {}) {
      const key = `${group}.${name}`;
      const message = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;
      return message === undefined ? undefined : format(message, values);
    },
    listTexts(group) {
      const prefix = `${group}.`;
      const entries = Object.entries(catalogue).filter(([key]) => key.startsWith(prefix));
      return Object.fromEntries(entries.map(([key, text]) => [key.slice(prefix.length), text]));
    },
  };
}
