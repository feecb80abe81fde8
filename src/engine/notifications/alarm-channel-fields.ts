import {
  type AlarmChannelKind,
  type ChannelField,
  type ChannelFieldName,
  channelFields,
  channelPriorities,
  fillTemplate,
  findUnknownPlaceholders,
  isJsonTemplate,
  maxFieldLength,
  parseHeaderLines,
  templateNames,
} from '../../core/alarms/alarm-channels.ts';
import { findHiddenCharacter } from '../../core/text/text-rules.ts';
import type { AlarmChannelRecord } from '../../store/notifications/alarm-channels-table.ts';
import { validateText, validationError } from '../shared/bounds.ts';
import { parseMailAddress } from '../shared/queue-mail.ts';
import { parseTarget, type TargetRules } from './webhook-target.ts';

/** Requested values of fields: absent ones and empty secrets stay, null removes one. */
export type ChannelFieldChanges = Readonly<Partial<Record<ChannelFieldName, string | null>>>;

/** Settings and secrets of a channel after a change. Throws `invalid_request`. */
export function parseChannelFields(
  before: Pick<AlarmChannelRecord, 'kind' | 'settings' | 'secrets'>,
  requested: ChannelFieldChanges,
  rules: TargetRules,
): Pick<AlarmChannelRecord, 'settings' | 'secrets'> {
  const fields: readonly ChannelField[] = channelFields[before.kind as AlarmChannelKind];
  for (const name of Object.keys(requested))
    if (!fields.some((field) => field.name === name))
      throw validationError(name, `is no field of the channel ${before.kind}`);
  const values: Partial<Record<ChannelFieldName, string>> = {};
  for (const field of fields.filter(({ isSecret }) => !isSecret)) {
    const { name } = field;
    const typed = requested[name] ?? (requested[name] === null ? '' : undefined);
    const text = (typed ?? before.settings[name] ?? '').trim() || (field.default ?? '');
    if (text === '' && field.isRequired) throw validationError(name, 'is required', { name: 'required' });
    if (text === '') continue;
    // What is unchanged was checked before; an address may have become this machine's meanwhile.
    values[name] = text === before.settings[name] ? text : parseField(field, text, rules);
  }
  const isOtherAccount = fields.some(
    ({ name, isAccount }) =>
      isAccount &&
      before.settings[name] !== undefined &&
      accountOf(name, values[name]) !== accountOf(name, before.settings[name]),
  );
  const secrets: Partial<Record<ChannelFieldName, string>> = {};
  for (const { name, isRequired } of fields.filter(({ isSecret }) => isSecret)) {
    const typed = requested[name];
    const kept = isOtherAccount || typed === null ? '' : (before.secrets[name] ?? '');
    const secret = typed ? parsePlainText(name, typed.trim()) : kept;
    if (secret === '' && isRequired) throw validationError(name, 'is required', { name: 'required' });
    if (secret !== '') secrets[name] = secret;
  }
  return { settings: values as Record<string, string>, secrets: secrets as Record<string, string> };
}

/** The part of a setting by which the secrets belong to it: of an address the server. */
const accountOf = (name: ChannelFieldName, value: string | undefined): string | undefined =>
  name === 'url' && value !== undefined ? new URL(value).origin : value;

function parseField({ name, kind }: ChannelField, text: string, rules: TargetRules): string {
  if (kind === 'address') return parseMailAddress(name, text);
  if (kind === 'method') {
    if (text === 'POST' || text === 'PUT') return text;
    throw validationError(name, 'must be POST or PUT');
  }
  if (kind === 'priority') {
    if ((channelPriorities as readonly string[]).includes(text)) return text;
    throw validationError(name, 'must be high or emergency');
  }
  if (kind === 'url') return parseUrl(name, text, rules);
  if (kind === 'lines') return parseLines(name, text);
  return parsePlainText(name, text);
}

/** An address may contain the placeholder of the secret, but not in the name of the server. */
function parseUrl(name: ChannelFieldName, text: string, rules: TargetRules): string {
  checkPlaceholders(name, text, ['secret']);
  const [first, second] = ['a', 'b'].map((secret) =>
    parseTarget(name, fillTemplate(text, { secret }), rules),
  );
  if (new URL(first!).origin !== new URL(second!).origin)
    throw validationError(name, 'must name the server without a placeholder');
  // Not as parsed, which encodes braces.
  return text.length <= maxFieldLength.url ? text : first!;
}

function parseLines(name: ChannelFieldName, text: string): string {
  const clean = validateText(name, text, { max: maxFieldLength[name], kind: 'lines' });
  checkPlaceholders(name, clean, name === 'headers' ? ['secret'] : templateNames);
  const sample = fillTemplate(clean, Object.fromEntries(templateNames.map((one) => [one, 'x'])));
  if (name === 'headers' && parseHeaderLines(sample) === null)
    throw validationError(name, 'must be lines such as “Authorization: Bearer {secret}”');
  if (name === 'body' && isJsonTemplate(clean) && !isJson(sample))
    throw validationError(name, 'must be valid JSON, with each placeholder inside of quotation marks');
  return clean;
}

function checkPlaceholders(name: ChannelFieldName, text: string, allowed: readonly string[]): void {
  const unknown = [
    ...findUnknownPlaceholders(text),
    ...templateNames.filter((one) => !allowed.includes(one) && text.includes(`{${one}}`)),
  ];
  if (unknown.length > 0)
    throw validationError(
      name,
      `must contain no other placeholders than ${allowed.map((one) => `{${one}}`).join(', ')}`,
    );
}

/** A text of one line without hidden characters, which could change a header. */
function parsePlainText(name: ChannelFieldName, text: string): string {
  const hidden = findHiddenCharacter(text, 'line');
  if (hidden !== null) throw validationError(name, `must not contain the hidden character ${hidden}`);
  // Header values and addresses are written as they are.
  if (/[^\x20-\x7e]/.test(text))
    throw validationError(name, 'must contain only letters, digits and signs of ASCII');
  const max = maxFieldLength[name];
  if (text.length <= max) return text;
  throw validationError(name, `must have at most ${max} characters`, {
    name: 'characters_at_most',
    most: max,
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
