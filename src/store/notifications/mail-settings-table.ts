import type { Database } from '../database.ts';

/** Settings for sending mail. */
export interface MailSettings {
  /** Name or address of the mail server; empty: no mail is sent. */
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before any other command, or neither. */
  readonly security: 'none' | 'starttls' | 'tls';
  /** Empty: no login. */
  readonly username: string;
  readonly password: string;
  readonly fromAddress: string;
  /** Base of links in mails, `http://bar.example`; empty: no links. */
  readonly baseUrl: string;
}

interface Row {
  host: string;
  port: number;
  security: MailSettings['security'];
  username: string;
  password: string;
  from_address: string;
  base_url: string;
}

/** The single row of mail settings. */
export function mailSettingsTable(db: Database) {
  const read = db.prepare<[], Row>('SELECT * FROM mail_settings');
  const write = db.prepare<Row>(
    `UPDATE mail_settings SET host = @host, port = @port, security = @security, username = @username,
       password = @password, from_address = @from_address, base_url = @base_url`,
  );
  return {
    read(): MailSettings {
      const row = read.get()!;
      return {
        host: row.host,
        port: row.port,
        security: row.security,
        username: row.username,
        password: row.password,
        fromAddress: row.from_address,
        baseUrl: row.base_url,
      };
    },
    write: (settings: MailSettings): void =>
      void write.run({
        host: settings.host,
        port: settings.port,
        security: settings.security,
        username: settings.username,
        password: settings.password,
        from_address: settings.fromAddress,
        base_url: settings.baseUrl,
      }),
  };
}
