import type { ComponentChildren } from 'preact';
import type { DisplayText } from '../../app/error-text.ts';

interface FieldBase {
  /** The field's name in request bodies and in error replies. */
  readonly name: string;
  readonly label: string;
  /** What may be entered, shown below the field before anything is typed. */
  readonly hint?: string;
  /** True for a field that is seldom needed: it is under “More”, closed at first. It must have a value or be optional. */
  readonly isMore?: boolean;
}

/** One form field. An optional empty field is not sent, or is sent as an empty text or null, depending on `optional`. */
export type FieldSpec = FieldBase &
  (
    | {
        readonly kind: 'text' | 'password';
        readonly value?: string;
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly autocomplete?: string;
        readonly optional?: 'omit' | 'empty';
        /** Says what is wrong with a value while it is typed. */
        check?(value: string): string | undefined;
      }
    | {
        readonly kind: 'whole' | 'number';
        readonly value?: number | null;
        readonly min?: number;
        readonly max?: number;
        readonly unit?: string;
        /** Decimals of its value and its limits; as many as they need unless given. */
        readonly digits?: number;
        readonly optional?: 'omit' | 'null';
      }
    | {
        readonly kind: 'choice';
        readonly value?: string;
        readonly options: Readonly<Record<string, string>>;
        /** True when the empty value is one of the options. */
        readonly isOptional?: boolean;
        /** Called when another option is chosen, for what the form shows about it. */
        onChoose?(option: string): void;
      }
    | {
        /** A day, `YYYY-MM-DD`. */
        readonly kind: 'date';
        readonly value?: string | null;
        readonly optional: 'null';
      }
    | { readonly kind: 'flag'; readonly value?: boolean }
    | {
        /** A text of several lines. */
        readonly kind: 'lines';
        readonly value?: string;
        readonly maxLength?: number;
        readonly optional: 'empty';
      }
    | {
        /** A field that keeps its value itself: `send` gets none. */
        readonly kind: 'custom';
        readonly optional: 'omit';
        /** Where a record is edited: its value, what is chosen now in the same form, and how the record's value is taken over. */
        readonly edit?: {
          readonly stored: string;
          readonly typed: string;
          take(): void;
          /** The stored value for a person, where it reads otherwise. */
          readonly text?: string;
        };
        render(fault: DisplayText | undefined): ComponentChildren;
      }
  );
