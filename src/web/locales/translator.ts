import type { Messages } from './messages.ts';
import { type ParsedMessage, type Placeholder, parseMessage } from './parse-message.ts';

/** The texts of one language: flat keys with dots between groups, values in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, string>>;
/** Values of the placeholders of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

type MessageKey = keyof Messages;
type Args<K extends MessageKey> =
  Messages[K] extends Readonly<Record<never, never>>
    ? keyof Messages[K] extends never
      ? []
      : [values: Messages[K]]
    : never;

/** Keys of the texts without placeholders. */
export type PlainKey = { [K in MessageKey]: Args<K> extends [] ? K : never }[MessageKey];

type GroupOf<Key extends string> = Key extends `${infer Head}.${infer Tail}`
  ? Head | `${Head}.${GroupOf<Tail>}`
  : never;
/** A common beginning of keys, without its last dot. */
export type MessageGroup = GroupOf<MessageKey>;

export type Translator = ReturnType<typeof createTranslator>;

/** Creates the functions that return the texts of a language. */
export function createTranslator(language: string, catalogue: Catalogue) {
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

    /** Returns the text of a key with its placeholders replaced. */
    t<K extends MessageKey>(key: K, ...[values]: Args<K>): string {
      return format(catalogue[key] ?? key, values ?? {});
    },

    /** Returns a text by a name that is known at run time only; undefined when the language has none. */
    findText(group: MessageGroup, name: string | number, values: MessageValues = {}): string | undefined {
      const key = `${group}.${name}`;
      const message = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;
      return message === undefined ? undefined : format(message, values);
    },

    /** Returns the texts of a group by their names, in alphabetical order. */
    listTexts(group: MessageGroup): Readonly<Record<string, string>> {
      const prefix = `${group}.`;
      const entries = Object.entries(catalogue).filter(([key]) => key.startsWith(prefix));
      return Object.fromEntries(entries.map(([key, text]) => [key.slice(prefix.length), text]));
    },
  };
}
