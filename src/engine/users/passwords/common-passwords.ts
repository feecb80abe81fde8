import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { passwordLength, toGuessedForm } from '../../../core/users/password-rules.ts';

/** A shorter one stays too short with the marks around it that people add to reach the length. */
const minKept = passwordLength.least - 2;

let common: Promise<ReadonlySet<string>> | null = null;

/**
 * Whether a password is one of the 50 000 most common, in any case and with marks such as `!` around it. The list of the
 * package is read at the first call: most starts need none, and what is kept of it takes about 1 MB.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommonPasswords();
  const list = await common.catch((fault: unknown) => {
    common = null;
    throw fault;
  });
  const form = toGuessedForm(password);
  return [form, form.replaceAll(/\s/gu, ''), form.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')].some(
    (one) => list.has(one),
  );
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const manifest = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/package.json');
  const text = await readFile(join(dirname(manifest), 'src/passwords.json'), 'utf8');
  const passwords = JSON.parse(text) as readonly string[];
  return new Set(passwords.filter((one) => one.length >= minKept));
}
