import { randomInt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';

/** Without letters and digits that look alike on a console. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 2;
const charactersInGroup = 4;

/** Wrong codes, from all addresses together, after which another one is printed: guessing starts from nothing again. */
const maxWrong = 50;

/** The code that whoever stands at the machine reads off its console, and the wizard asks for. */
export interface SetupCode {
  /** As it is printed, `K7QM-2RXA`. */
  readonly text: string;
  /** Throws `invalid_request` naming `code` when this is another one; case, blanks and dashes do not matter. */
  check(code: string): void;
}

/** A new code; `onRenew` is told when too many wrong ones have made it give way to the next. */
export function createSetupCode(onRenew: (text: string) => void = () => {}): SetupCode {
  let text = createCode();
  let wrong = 0;
  return {
    get text() {
      return text;
    },
    check(code) {
      if (isSame(normalize(code), normalize(text))) return;
      wrong += 1;
      if (wrong >= maxWrong) {
        text = createCode();
        wrong = 0;
        onRenew(text);
      }
      const fields = { code: 'must be the code that the console of this machine shows' };
      const rules = { code: { name: 'console_code' } } as const;
      throw new AppError(
        'invalid_request',
        'This is not the code on the console. It changes with every start: look again.',
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
