import { formatTimeOfDay } from '../../../../core/clock/business-days.ts';
import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../../app/format.ts';
import { findText, t } from '../../../locales/locale.ts';

/** The values of an audit entry before and after the change. */
interface BeforeAfter {
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** More lines are not readable at a glance. */
const maxLines = 12;
/** Fields that mean nothing to a person. */
const hiddenFields = new Set(['id', 'ids', 'mugshot', 'picture', 'correction_id', 'action']);

/** Settings of the site that are one of several named values. */
const choiceFields = new Set([
  'privacy',
  'volume_units',
  'temperature_units',
  'registration_mode',
  'require_https',
  'updates_install',
]);

/** Fields without information for created and deleted objects. */
const redundantFields = new Set(['ticks', 'session_id', 'is_valid', 'is_superuser']);

/** One line per changed field; created and deleted objects list their values. */
export function listChanges({ before, after }: BeforeAfter, units: Units): readonly string[] {
  const drinks = pairDrinks({ before, after }).flatMap((pair) => listFieldChanges(pair, units));
  return [...listFieldChanges({ before, after }, units), ...drinks].slice(0, maxLines);
}

function listFieldChanges({ before, after }: BeforeAfter, units: Units): readonly string[] {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...keys].flatMap((key) => {
    const [oldValue, newValue] = [before?.[key] ?? null, after?.[key] ?? null];
    if (
      oldValue === newValue ||
      !isScalar(oldValue) ||
      !isScalar(newValue) ||
      hiddenFields.has(toSnakeCase(key))
    )
      return [];
    if ((before === null || after === null) && redundantFields.has(toSnakeCase(key))) return [];
    const format = (value: unknown) => formatValue(key, value, units);
    const name = nameField(toFieldName(key));
    if (before === null) return [`${name}: ${format(newValue)}`];
    if (after === null) return [`${name}: ${format(oldValue)}`];
    return [t('audit.fromTo', { field: name, before: format(oldValue), after: format(newValue) })];
  });
}

/** Settings are named as on their page. */
const nameField = (name: string): string =>
  findText('audit.fields', name) ?? findText('site.labels', name) ?? name.replaceAll('_', ' ');

/** A correction contains several drinks: pairs each one's states before and after by id. */
function pairDrinks({ before, after }: BeforeAfter): readonly BeforeAfter[] {
  const [oldDrinks, newDrinks] = [getDrinks(before), getDrinks(after)];
  const ids = new Set([...oldDrinks, ...newDrinks].map(({ id }) => id));
  return [...ids].map((id) => ({
    before: oldDrinks.find((drink) => drink.id === id) ?? null,
    after: newDrinks.find((drink) => drink.id === id) ?? null,
  }));
}

function getDrinks(side: BeforeAfter['before']): readonly Readonly<Record<string, unknown>>[] {
  const drinks = side?.drinks;
  return Array.isArray(drinks) ? (drinks as readonly Readonly<Record<string, unknown>>[]) : [];
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const toSnakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The field's key in the translations: times without their unit. */
const toFieldName = (key: string): string => toSnakeCase(key).replace(/_time_ms$/, '_time');

function formatValue(key: string, value: unknown, units: Units): string {
  if (value === null || value === '') return t('audit.nothing');
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
  if (
    typeof value === 'number' &&
    /(?:^|_)ml$/.test(toSnakeCase(key)) &&
    !toSnakeCase(key).includes('per_ml')
  ) {
    return formatQuantity(volume(value, units));
  }
  if (typeof value === 'number' && toSnakeCase(key).endsWith('_time_ms')) {
    return formatBarTime(barTime(new Date(value).toISOString(), units));
  }
  if (key === 'dayEndsMinutes' && typeof value === 'number') return formatTimeOfDay(value);
  if (typeof value === 'string' && choiceFields.has(toSnakeCase(key)))
    return findText('site.choices', value) ?? value;
  if (typeof value === 'string') return findText('kegs.states', value) ?? value;
  return String(value);
}
