import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { locale } from '../../locales/locale.ts';
import type { FieldSpec } from './field-spec.ts';
import { defaultOf, isTyped, listInputs, takeDefault } from './read-form.ts';
import { watchUnsaved } from './unsaved.ts';

/** What somebody else changed while it was being changed here. */
export interface OtherChange {
  /** The value that the record has now, for a person. */
  readonly text: string;
  /** Puts it in place of what is typed. */
  take(): void;
}

/** What is typed in a form, compared with the record that it shows. */
interface Edits {
  /** By the names of the fields. */
  readonly others: Readonly<Record<string, OtherChange>>;
  /** How many were found so far. */
  readonly found: number;
  /** What is typed is saved now, or given up. */
  settle(): void;
}

/**
 * Follows a form: asks before what is typed is lost, and compares the record with what it was when the form was opened. A field
 * in which nothing is typed shows the record's present value.
 */
export function useEdits(
  form: RefObject<HTMLFormElement | null>,
  fields: readonly FieldSpec[],
  {
    isEdit,
    isDirty,
    isBusy,
  }: { readonly isEdit: boolean; readonly isDirty: boolean; readonly isBusy: boolean },
): Edits {
  const others = useSignal<Readonly<Record<string, OtherChange>>>({});
  const known = useRef(new Map<string, string | null>());
  const touched = useRef(new Set<string>()).current;
  const found = useRef(0);
  const isSettled = useRef(false);
  const latest = useRef({ fields, isDirty, isBusy });
  latest.current = { fields, isDirty, isBusy };

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const touch = ({ target }: Event) => {
      isSettled.current = false;
      const isPassword = target instanceof HTMLInputElement && target.type === 'password';
      if (!isPassword && target instanceof Element) touched.add(target.getAttribute('name') ?? '');
    };
    element.addEventListener('input', touch);
    element.addEventListener('change', touch);
    const unwatch = watchUnsaved(element, () => {
      const { fields, isDirty, isBusy } = latest.current;
      // What is being saved is not lost.
      if (isBusy || isSettled.current) return false;
      return isDirty || isFilled(element, fields, touched);
    });
    return () => {
      unwatch();
      element.removeEventListener('input', touch);
      element.removeEventListener('change', touch);
    };
  }, []);

  useEffect(() => {
    const element = form.current;
    if (!element || !isEdit) return;
    const next = { ...others.value };
    let isChanged = false;
    for (const { name, stored, text, isUsed, isSame, take } of listStored(element, fields, known.current)) {
      const before = known.current.get(name);
      known.current.set(name, stored);
      if (before === undefined || before === stored) continue;
      isChanged = true;
      delete next[name];
      if (isUsed && !isSame) {
        next[name] = { text, take };
        found.current += 1;
      } else if (!isUsed) take();
    }
    if (isChanged) others.value = next;
  });

  return {
    others: Object.fromEntries(
      Object.entries(others.value).map(([name, { text, take }]) => [
        name,
        {
          text,
          take() {
            take();
            const { [name]: _taken, ...rest } = others.value;
            others.value = rest;
          },
        },
      ]),
    ),
    found: found.current,
    settle() {
      isSettled.current = true;
      touched.clear();
      others.value = {};
    },
  };
}

/** True if something is typed that the record does not have. Fields that keep their value themselves count once they were used. */
function isFilled(
  form: HTMLFormElement,
  fields: readonly FieldSpec[],
  touched: ReadonlySet<string>,
): boolean {
  const inputs = listInputs(form, fields);
  const plain = new Set(inputs.map(({ field }) => field.name));
  const edited = fields.flatMap((field) => (field.kind === 'custom' && field.edit ? [field.edit] : []));
  const keepTheirs = fields.filter((field) => field.kind === 'custom').length;
  return (
    inputs.some(({ field, input }) => field.kind !== 'password' && isTyped(input)) ||
    edited.some(({ stored, typed }) => stored !== typed) ||
    (keepTheirs > edited.length && [...touched].some((name) => !plain.has(name)))
  );
}

/** The values of the record that the form shows, each with what is typed. */
function listStored(
  form: HTMLFormElement,
  fields: readonly FieldSpec[],
  known: ReadonlyMap<string, string | null>,
) {
  const plain = listInputs(form, fields).map(({ field, input }) => ({
    name: field.name,
    stored: defaultOf(input),
    text: describe(field, defaultOf(input)),
    isUsed: isTyped(input),
    isSame: !isTyped(input),
    take: () => takeDefault(input),
  }));
  const own = fields.flatMap((field) => {
    if (field.kind !== 'custom' || !field.edit) return [];
    const { stored, typed, take, text = stored } = field.edit;
    const isUsed = typed !== (known.get(field.name) ?? stored);
    return [{ name: field.name, stored, text, isUsed, isSame: typed === stored, take }];
  });
  return [...plain, ...own];
}

const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** The stored value as the form shows it. */
function describe(field: FieldSpec, stored: string | null): string {
  if (stored === null || stored === '') return '–';
  if (field.kind === 'choice') return field.options[stored] ?? stored;
  return field.kind === 'date' ? dayFormat.format(Date.parse(stored)) : stored;
}
