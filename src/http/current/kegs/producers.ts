import { producerFields } from '../../../core/kegs/records/producer-record.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, named } from '../../routes/schemas.ts';
import { correctionIdOf } from '../shared/correction-id.ts';
import { toPageRequest } from '../shared/paging.ts';
import { newRecordSchemas, recordChangeSchemas, toFields } from '../shared/record-schemas.ts';
import { readableResource } from '../shared/resource.ts';
import { ProducerJson, producerJson } from '../shared/views.ts';
import { Search } from './search.ts';

const NewProducerJson = named(
  'NewProducer',
  Closed(newRecordSchemas(producerFields), { description: 'A new producer.' }),
);
const ProducerChangeJson = named(
  'ProducerChange',
  Closed(recordChangeSchemas(producerFields), { description: 'Changes of a producer.' }),
);

const producers = readableResource({
  name: 'Producer',
  noun: 'producer',
  path: '/beverage-producers',
  access: 'viewer',
  item: 'beverage_producer',
  items: 'beverage_producers',
  json: ProducerJson,
  errors: { remove: { conflict: ['producer_has_beverages'] } },
  show: producerJson,
});

export const producerRoutes = [
  producers.list(
    {
      summary: 'List beverage producers, newest first',
      description: 'Breweries, wineries and other makers of beverages, with their pictures.',
      filters: { search: Search('Only producers with these words in their name or city.') },
    },
    ({ lists }, query) =>
      lists.producers({ ...toPageRequest(query), ...omitUndefined({ search: query.search }) }),
  ),
  producers.get({ summary: 'Get a beverage producer', description: 'With its picture.' }, ({ lists }, id) =>
    lists.producer(id),
  ),
  producers.create(
    {
      summary: 'Create a beverage producer',
      description: 'Names need not be unique. Written to the audit log.',
    },
    NewProducerJson,
    (context, body) =>
      context.engine.kegs.catalogue.addProducer(toFields(producerFields, body), actorContext(context)),
    { byPin: true },
  ),
  ...producers.changeWithUndo(
    {
      summary: 'Change a beverage producer. Fields left out keep their values',
      description:
        'All beverages of the producer show the new values. A text of null becomes empty. Written to the audit log, and can be undone.',
    },
    { put: NewProducerJson, patch: ProducerChangeJson },
    (context, { id }, { body }) =>
      context.engine.kegs.catalogue.changeProducer(id, toFields(producerFields, body), actorContext(context)),
  ),
  producers.removeWithUndo(
    {
      summary: 'Delete a beverage producer. Refused while it has beverages',
      description:
        'Its picture is deleted too. Refused with 409 while a beverage has it. Written to the audit log, and can be undone: then it is there again under its id and, while that is stored, with its picture.',
    },
    (context, { id }) =>
      correctionIdOf(context.engine.kegs.catalogue.removeProducer(id, actorContext(context))),
  ),
];
