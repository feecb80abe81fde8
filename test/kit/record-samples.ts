import type { Field } from '../../src/core/records/fields.ts';

/** Above it the database has no limit of its own. */
const largestChecked = 2 ** 31 - 2;

/** Values at the limits of a declared field, as requests have them. */
export function allowedValues(field: Field): readonly unknown[] {
  switch (field.kind) {
    case 'flag':
      return [true, false];
    case 'choice':
      return field.of;
    case 'date':
      return ['2024-02-29'];
    case 'number':
    case 'whole':
      return [field.min, field.max];
    case 'text':
    case 'lines':
      if (field.pattern !== undefined) return [field.default ?? ''];
      if (field.check !== undefined) return ['', 'https://a.example/'.padEnd(field.max, 'x')];
      return ['x'.repeat(field.min), 'x'.repeat(field.max)];
    default:
      return [1];
  }
}

/** Values just beyond the limits, of the right type. */
export function refusedValues(field: Field): readonly unknown[] {
  switch (field.kind) {
    case 'choice':
      return ['none'];
    case 'date':
      return ['yesterday'];
    case 'number':
    case 'whole': {
      const { min, max } = field;
      return [min === Number.MIN_VALUE ? 0 : min - 1, ...(max > largestChecked ? [] : [max + 1])];
    }
    case 'text':
    case 'lines': {
      const { min, max } = field;
      return ['x'.repeat(max + 1), ...(min > 0 && !field.orNull ? [''] : [])];
    }
    default:
      return [];
  }
}
