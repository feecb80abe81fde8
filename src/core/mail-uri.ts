/** A mail server as one line names it; what the line does not say is absent. */
export interface MailLine {
  /** Empty: no mail leaves. */
  readonly host: string;
  readonly port: number;
  readonly security: 'none' | 'starttls' | 'tls';
  readonly username: string;
  readonly password?: string;
  readonly fromAddress?: string;
}

/** Lines that mean: nothing leaves the house. */
const off = ['console:', 'dummy:', 'memory:'];

const kinds = {
  'smtp:': { port: 25, security: 'none' },
  'submission:': { port: 587, security: 'starttls' },
  'smtps:': { port: 465, security: 'tls' },
} as const;

/**
 * Reads a mail server written as one line, `submission://user:password@mail.example:587/?_default_from_email=a@b`; null
 * when it is none. A line without a password says nothing of it.
 */
export function readMailLine(line: string): MailLine | null {
  const text = line.trim();
  if (off.some((prefix) => text === prefix || text === `${prefix}//`)) {
    return { host: '', port: 587, security: 'starttls', username: '' };
  }
  const found =
    /^(smtp|submission|smtps):\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?(\[[0-9a-f:.]+\]|[^:@/?[\]]+)(?::(\d{1,5}))?\/?(?:\?(.*))?$/iu.exec(
      text,
    );
  if (found === null) return null;
  const [, scheme = '', user = '', password, host = '', port, query = ''] = found;
  const kind = kinds[`${scheme.toLowerCase()}:` as keyof typeof kinds];
  try {
    const from = new Map(
      query.split('&').map((pair) => pair.split('=', 2).map(plain) as [string, string | undefined]),
    ).get('_default_from_email');
    return {
      host: host.replace(/^\[|\]$/g, ''),
      port: port === undefined ? kind.port : Number(port),
      security: kind.security,
      username: plain(user),
      ...(password === undefined ? {} : { password: plain(password) }),
      ...(from ? { fromAddress: from } : {}),
    };
  } catch {
    // Signs that are not properly percent-encoded.
    return null;
  }
}

const plain = (text: string): string => decodeURIComponent(text);
