import { AppError } from '../../core/app-error.ts';
import type { PluginDatum } from '../../store/notifications/plugins-table.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { requireFound, validateText, validationError } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import type { EngineParts } from '../shared/parts.ts';

export type { PluginDatum } from '../../store/notifications/plugins-table.ts';

/** Maximum length of a value, characters of JSON, and maximum number of values. */
const maxValueLength = 16_384;
const maxData = 1_000;

/** A small key-value store for plugins and programs of the bar. */
export function createPluginData(parts: EngineParts) {
  const { store } = parts;
  const entry = (verb: string, id: number) => ({
    action: `plugin_datum.${verb}`,
    kind: 'plugin_datum',
    id,
    // Without the value, which may be a secret.
    snapshot(datumId: number) {
      const datum = store.notifications.plugins.datum(datumId);
      return datum && { pluginName: datum.pluginName, key: datum.key };
    },
  });
  const get = (id: number) =>
    requireFound(
      Number.isSafeInteger(id) ? store.notifications.plugins.datum(id) : null,
      `plugin datum ${id}`,
    );
  const check = (datum: Omit<PluginDatum, 'id'>) => {
    if (datum.value.length > maxValueLength)
      throw validationError('value', `must have at most ${maxValueLength} characters of JSON`);
    return {
      pluginName: validateText('plugin_name', datum.pluginName, { max: 127 }),
      key: validateText('key', datum.key, { max: 127 }),
      value: datum.value,
    };
  };
  const rejectDuplicate = ({ pluginName, key }: Omit<PluginDatum, 'id'>, ownId: number | null) => {
    const other = store.notifications.plugins.datumByKey(pluginName, key);
    if (other === null || other.id === ownId) return;
    throw new AppError('conflict', `The plugin ${pluginName} already has a value with this key.`, {
      fields: { key: 'is taken' },
      rules: { key: { name: 'taken' } },
    });
  };
  return {
    list: (page: PageRequest): Page<PluginDatum> =>
      readPage(page, store.notifications.plugins.dataCount(), store.notifications.plugins.dataPage),
    get,

    /** Throws `conflict` if the plugin has the key already or there are too many values. */
    add: (datum: Omit<PluginDatum, 'id'>, context?: ActorContext): PluginDatum =>
      auditedChange(parts, context, { ...entry('added', 0), id: ({ id }: PluginDatum) => id }, () => {
        const checked = check(datum);
        rejectDuplicate(checked, null);
        if (store.notifications.plugins.dataCount() >= maxData) {
          throw new AppError('conflict', `There are ${maxData} values already: remove some first.`);
        }
        return get(store.notifications.plugins.addDatum(checked));
      }),
    change: (id: number, requested: Partial<Omit<PluginDatum, 'id'>>, context?: ActorContext): PluginDatum =>
      auditedChange(parts, context, entry('changed', id), () => {
        const { id: _, ...before } = get(id);
        const after = check({ ...before, ...requested });
        rejectDuplicate(after, id);
        store.notifications.plugins.changeDatum({ id, ...after });
        return get(id);
      }),
    remove: (id: number, context?: ActorContext): void =>
      auditedChange(parts, context, entry('deleted', id), () =>
        store.notifications.plugins.removeDatum(get(id).id),
      ),
  };
}
