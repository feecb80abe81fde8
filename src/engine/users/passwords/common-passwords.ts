import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { passwordLength, toGuessedForm } from '../../../core/users/password-rules.ts';

/** A shorter one stays too short with the marks around it that people add to reach the length. */
const minKept = passwordLength.least - 2;

/** So many of the most common are guessed with figures and marks around them, too: what people add when a form asks for more. */
const maxWords = 1_000;

/** A shorter one, such as `ana`, says nothing about a password. */
const minWord = 4;

/** Signs in place of letters, such as in `p@ssw0rd`. */
const signLetters: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
};

interface CommonPasswords {
  readonly whole: ReadonlySet<string>;
  /** Without signs in place of letters. */
  readonly words: ReadonlySet<string>;
}

let common: Promise<CommonPasswords> | null = null;

/**
 * Whether a password is one of the 50 000 most common, in any case and with marks such as `!` around it, or one of the 1000 most
 * common with any figures and marks around it, such as `P@ssword2026!`. The list of the package is read at the first call: most
 * starts need none, and what is kept of it takes about 1 MB.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommonPasswords();
  const { whole, words } = await common.catch((fault: unknown) => {
    common = null;
    throw fault;
  });
  const form = toGuessedForm(password);
  const forms = [form, form.replaceAll(/\s/gu, ''), form.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')];
  const begun = form.replace(/\P{L}+$/u, '');
  const cores = [begun, begun.replace(/^[^\p{L}@$]+/u, ''), begun.replace(/^\P{L}+/u, '')];
  return forms.some((one) => whole.has(one)) || cores.some((one) => words.has(toWord(one)));
}

async function readCommonPasswords(): Promise<CommonPasswords> {
  const manifest = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/package.json');
  const text = await readFile(join(dirname(manifest), 'src/passwords.json'), 'utf8');
  // The most common first.
  const passwords = JSON.parse(text) as readonly string[];
  return {
    whole: new Set(passwords.filter((one) => one.length >= minKept)),
    words: new Set(
      passwords
        .slice(0, maxWords)
        .filter((one) => one.length >= minWord && /\p{L}$/u.test(one))
        .map(toWord),
    ),
  };
}

const toWord = (text: string): string => text.replaceAll(/[@$0-9]/g, (sign) => signLetters[sign] ?? sign);
