/** One field of a channel's settings. */
export interface ChannelField {
  readonly name: ChannelFieldName;
  /** Default: one line. */
  readonly kind?: 'url' | 'lines' | 'method' | 'priority' | 'address';
  /** True for a secret, which is never shown. */
  readonly isSecret?: true;
  readonly isRequired?: true;
  readonly default?: string;
  /** True: another value drops the secrets, which belong to the old one. */
  readonly isAccount?: true;
}

/** Names of all fields, in requests and replies. */
export const channelFieldNames = [
  'url',
  'topic',
  'username',
  'chat',
  'user_key',
  'priority',
  'method',
  'headers',
  'body',
  'address',
  'token',
  'secret',
] as const;

export type ChannelFieldName = (typeof channelFieldNames)[number];

/** The most characters of a field. */
export const maxFieldLength: Readonly<Record<ChannelFieldName, number>> = {
  url: 1_000,
  topic: 64,
  username: 254,
  chat: 64,
  user_key: 64,
  priority: 9,
  method: 4,
  headers: 2_000,
  body: 8_000,
  address: 254,
  token: 1_024,
  secret: 1_024,
};

const url = (standard?: string): ChannelField => ({
  name: 'url',
  kind: 'url',
  isAccount: true,
  isRequired: true,
  ...(standard !== undefined && { default: standard }),
});
const token: ChannelField = { name: 'token', isSecret: true, isRequired: true };

/** Pushover's priorities of urgent alarms; one of `emergency` rings until it is acknowledged in the app. */
export const channelPriorities = ['high', 'emergency'] as const;

/** The body of the generic HTTP request, unless another one is set. */
export const defaultBodyTemplate =
  '{"event": "{event}", "title": "{title}", "message": "{message}", "urgency": "{urgency}", "link": "{link}"}';

/** The channels and their fields; MQTT has settings of its own. */
export const channelFields = {
  ntfy: [
    url('https://ntfy.sh'),
    { name: 'topic', isRequired: true },
    { name: 'username', isAccount: true },
    { name: 'token', isSecret: true },
  ],
  telegram: [url('https://api.telegram.org'), { name: 'chat', isRequired: true }, token],
  pushover: [
    url('https://api.pushover.net'),
    { name: 'user_key', isRequired: true },
    { name: 'priority', kind: 'priority', default: 'high' },
    token,
  ],
  gotify: [url(), token],
  http: [
    url(),
    { name: 'method', kind: 'method', default: 'POST' },
    { name: 'headers', kind: 'lines', default: 'Content-Type: application/json' },
    { name: 'body', kind: 'lines', default: defaultBodyTemplate },
    { name: 'secret', isSecret: true },
  ],
  mail: [{ name: 'address', kind: 'address', isRequired: true }],
} as const satisfies Readonly<Record<string, readonly ChannelField[]>>;

export type AlarmChannelKind = keyof typeof channelFields;

export const alarmChannelKinds = Object.keys(channelFields) as readonly AlarmChannelKind[];

export const isAlarmChannelKind = (kind: string): kind is AlarmChannelKind =>
  Object.hasOwn(channelFields, kind);

/** What a template may contain in braces; `secret` also in address and headers. */
export const templateNames = [
  'event',
  'title',
  'message',
  'urgency',
  'kind',
  'subject',
  'alarm_id',
  'site',
  'time',
  'link',
  'secret',
] as const;

type TemplateName = (typeof templateNames)[number];

const placeholder = /\{([a-z_]+)\}/g;

/** The placeholders of a template that do not exist. */
export const findUnknownPlaceholders = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .filter((name) => !(templateNames as readonly string[]).includes(name));

/** Fills a template in one pass: values that look like placeholders stay as they are. */
export const fillTemplate = (
  template: string,
  values: Readonly<Partial<Record<TemplateName, string>>>,
  escapeValue: (value: string) => string = (value) => value,
): string =>
  template.replace(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name as TemplateName] : undefined;
    return value === undefined ? whole : escapeValue(value);
  });

/** A value inside of a JSON string. */
export const escapeJson = (value: string): string => JSON.stringify(value).slice(1, -1);

/** Whether a body template is JSON. */
export const isJsonTemplate = (template: string): boolean => /^\s*[[{]/.test(template);

/** Parses header lines, `Name: value` each; null when one is not allowed. */
export function parseHeaderLines(text: string): Readonly<Record<string, string>> | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] =
      /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
    if (name === '' || ownHeaders.test(name)) return null;
    headers[name.toLowerCase()] = value.trim();
  }
  return headers;
}

/** Headers that belong to the connection. */
const ownHeaders = /^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect)$/i;
