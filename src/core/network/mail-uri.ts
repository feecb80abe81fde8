import { omitUndefined } from '../omit-undefined.ts';

/** A mail server as given by one line; what the line leaves out is absent. */
interface MailUri {
  /** Empty: no mail is sent. */
  readonly host: string;
  readonly port: number;
  readonly security: 'none' | 'starttls' | 'tls';
  readonly username: string;
  readonly password?: string;
  readonly fromAddress?: string;
}

/** Schemes that turn mail off. */
const disabledSchemes = ['console:', 'dummy:', 'memory:'];

const schemes = {
  'smtp:': { port: 25, security: 'none' },
  'submission:': { port: 587, security: 'starttls' },
  'smtps:': { port: 465, security: 'tls' },
} as const;

/**
 * Parses a mail server from one line, `submission://user:password@mail.example:587/?_default_from_email=a@b`;
 * null when it is not one. `password` is absent when the line has none.
 */
export function parseMailUri(line: string): MailUri | null {
  const text = line.trim();
  if (disabledSchemes.some((prefix) => text === prefix || text === `${prefix}//`)) {
    return { host: '', port: 587, security: 'starttls', username: '' };
  }
  const match =
    /^(smtp|submission|smtps):\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?(\[[0-9a-f:.]+\]|[^:@/?[\]]+)(?::(\d{1,5}))?\/?(?:\?(.*))?$/iu.exec(
      text,
    );
  if (match === null) return null;
  const [, scheme = '', user = '', password, host = '', port, query = ''] = match;
  const kind = schemes[`${scheme.toLowerCase()}:` as keyof typeof schemes];
  try {
    const from = new Map(
      query.split('&').map((pair) => pair.split('=', 2).map(decode) as [string, string | undefined]),
    ).get('_default_from_email');
    return {
      host: host.replace(/^\[|\]$/g, ''),
      port: port === undefined ? kind.port : Number(port),
      security: kind.security,
      username: decode(user),
      ...omitUndefined({
        password: password === undefined ? undefined : decode(password),
        fromAddress: from || undefined,
      }),
    };
  } catch {
    // Invalid percent-encoding.
    return null;
  }
}

const decode = (text: string): string => decodeURIComponent(text);
