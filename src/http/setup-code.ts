import { randomInt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../core/app-error.ts';

/** Characters that cannot be confused with each other on a console. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 2;
const charactersInGroup = 4;

/** After this many wrong codes from all addresses together, a new code replaces the old one. */
const maxWrongCodes = 50;

/** The set-up code: printed on the console of the machine, required by the set-up page. */
export interface SetupCode {
  /** The code as printed, `K7QM-2RXA`. */
  readonly text: string;
  /** Throws `invalid_request` with the field `code` for a wrong code. Case, blanks and dashes are ignored. */
  check(code: string): void;
}

/** Creates a code, or goes on with `first`. `onRenew` receives the new code when too many wrong ones have replaced it. */
export function createSetupCode({
  first = createCode(),
  onRenew = () => {},
}: {
  readonly first?: string;
  readonly onRenew?: (text: string) => void;
} = {}): SetupCode {
  let text = first;
  let wrongCodes = 0;
  return {
    get text() {
      return text;
    },
    check(code) {
      if (isSame(normalize(code), normalize(text))) return;
      wrongCodes += 1;
      if (wrongCodes >= maxWrongCodes) {
        text = createCode();
        wrongCodes = 0;
        onRenew(text);
      }
      const fields = { code: 'must be the code that the console of this machine shows' };
      const rules = { code: { name: 'console_code' } } as const;
      throw new AppError(
        'invalid_request',
        'This is not the code on the console. The code changes when the machine restarts: “sudo tapster status” shows it.',
        { reason: { name: 'wrong_code' }, fields, rules },
      );
    },
  };
}

function createCode(): string {
  const group = () =>
    Array.from({ length: charactersInGroup }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

const normalize = (code: string): Buffer => Buffer.from(code.replace(/[\s-]/g, '').toUpperCase());

const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
