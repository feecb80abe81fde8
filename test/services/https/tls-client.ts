import type { OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { ConnectionOptions } from 'node:tls';

/** An answer over TLS. */
export interface TlsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request over TLS on a connection of its own. */
export const sendOverTls = (
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    ...tls
  }: ConnectionOptions & {
    readonly method?: string;
    readonly headers?: OutgoingHttpHeaders;
    readonly body?: string;
  },
): Promise<TlsAnswer> =>
  new Promise((done, fail) => {
    const sent = request(url, { method, headers, agent: false, ...tls }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.once('error', fail);
      answer.once('end', () => done({ status: answer.statusCode!, headers: answer.headers, text }));
    });
    sent.once('error', fail);
    sent.end(body);
  });
