import { UsageFault } from './command.ts';

/** A password longer than this is a file that was piped in by mistake, bytes. */
const mostBytes = 1_024;

/** The first line of standard input, without its line end. */
export async function readSecretLine(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    size += bytes.length;
    if (size > mostBytes || bytes.includes('\n')) break;
  }
  const [line = ''] = Buffer.concat(chunks).toString('utf8').split('\n');
  const secret = line.replace(/\r$/, '');
  if (size > mostBytes) throw new UsageFault(`The password must have at most ${mostBytes} bytes.`);
  if (secret === '') throw new UsageFault('No password came on standard input.');
  return secret;
}
