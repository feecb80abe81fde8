import Type from 'typebox';
import { beverageFields } from '../../../core/kegs/records/beverage-record.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, named } from '../../routes/schemas.ts';
import { correctionIdOf } from '../shared/correction-id.ts';
import { toPageRequest } from '../shared/paging.ts';
import { newRecordSchemas, recordChangeSchemas, toFields } from '../shared/record-schemas.ts';
import { readableResource } from '../shared/resource.ts';
import { BeverageJson, beverageJson } from '../shared/views.ts';
import { Search } from './search.ts';

const NewBeverageJson = named(
  'NewBeverage',
  Closed(newRecordSchemas(beverageFields), { description: 'A new beverage.' }),
);
const BeverageChangeJson = named(
  'BeverageChange',
  Closed(recordChangeSchemas(beverageFields), { description: 'Changes of a beverage.' }),
);

const beverages = readableResource({
  name: 'Beverage',
  noun: 'beverage',
  path: '/beverages',
  access: 'viewer',
  item: 'beverage',
  items: 'beverages',
  json: BeverageJson,
  errors: { remove: { conflict: ['beverage_in_kegs'] } },
  show: beverageJson,
});

export const beverageRoutes = [
  beverages.list(
    {
      summary: 'List beverages, newest first',
      description: 'Each with its producer and picture. Beverages of finished kegs are listed too.',
      filters: {
        search: Search(
          'Only beverages with these words in their name, their style or the name of their producer.',
        ),
        use: Maybe(
          Type.Enum(['on_tap', 'in_stock', 'unused'], {
            description:
              'Only beverages with a keg on a tap, with a keg in stock, or without any keg, which can be deleted.',
          }),
        ),
      },
    },
    ({ lists }, query) =>
      lists.beverages({
        ...toPageRequest(query),
        ...omitUndefined({ search: query.search, use: query.use }),
      }),
  ),
  beverages.get(
    { summary: 'Get a beverage', description: 'With its producer and picture.' },
    ({ kegs }, id) => kegs.beverage(id),
  ),
  beverages.create(
    {
      summary: 'Create a beverage',
      description:
        'The producer must exist. Values that are left out are unknown, except the colour, which is amber, and the ' +
        'type, which is `beer`. Written to the audit log.',
    },
    NewBeverageJson,
    (context, body) =>
      context.engine.kegs.catalogue.addBeverage(toFields(beverageFields, body), actorContext(context)),
    { byPin: true },
  ),
  ...beverages.changeWithUndo(
    {
      summary: 'Change a beverage. Fields left out keep their values',
      description:
        'All kegs of the beverage show the new values, finished ones too. A value of null makes a field unknown. ' +
        'Written to the audit log, and can be undone.',
    },
    { put: NewBeverageJson, patch: BeverageChangeJson },
    (context, { id }, { body }) =>
      context.engine.kegs.catalogue.changeBeverage(id, toFields(beverageFields, body), actorContext(context)),
  ),
  beverages.removeWithUndo(
    {
      summary: 'Delete a beverage. Refused while any keg contains it, finished kegs included',
      description:
        'Its prices and picture are deleted too. Refused with 409 while a keg has it. Written to the audit log, and can be undone: then it is there again under its id, with its prices and, while that is stored, its picture.',
    },
    (context, { id }) =>
      correctionIdOf(context.engine.kegs.catalogue.removeBeverage(id, actorContext(context))),
  ),
];
