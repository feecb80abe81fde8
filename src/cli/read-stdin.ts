import { UsageFault } from './command.ts';

/** Bound of a password, bytes; longer input is a file piped in by mistake. */
const maxBytes = 1_024;

/** Reads the first line of standard input, without its line end. */
export async function readSecretLine(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxBytes || bytes.includes('\n')) break;
  }
  const [line = ''] = Buffer.concat(chunks).toString('utf8').split('\n');
  const secret = line.replace(/\r$/, '');
  if (size > maxBytes) throw new UsageFault(`The password must have at most ${maxBytes} bytes.`);
  if (secret === '') throw new UsageFault('No password came on standard input.');
  return secret;
}
