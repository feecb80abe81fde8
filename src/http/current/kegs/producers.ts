import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { ProducerFields } from '../../../engine/engine.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { correctionIdOf } from '../shared/correction-id.ts';
import { toPageRequest } from '../shared/paging.ts';
import { readableResource } from '../shared/resource.ts';
import { ProducerJson, producerJson } from '../shared/views.ts';
import { Search } from './search.ts';

const text = (maxLength: number, description: string) =>
  Maybe(Nullable(Type.String({ maxLength, description: `${description}; null for none.` })));

const name = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the producer.' });
const optionalFields = {
  country: Maybe(
    Type.String({
      pattern: '^([A-Z]{3})?$',
      description: 'ISO 3166, three letters; empty when unknown, the default.',
      ...errorWords('must be three letters of ISO 3166 such as DEU', { name: 'country' }),
    }),
  ),
  origin_state: text(128, 'State or region of origin'),
  origin_city: text(128, 'City of origin'),
  is_homebrew: Maybe(Type.Boolean({ description: 'True for a home brewer; false by default.' })),
  url: text(200, 'Web address'),
  description: text(10_000, 'Text for everybody, at most 10 000 characters'),
};
const NewProducerJson = named(
  'NewProducer',
  Closed({ name, ...optionalFields }, { description: 'A new producer.' }),
);
const ProducerChangeJson = named(
  'ProducerChange',
  Closed({ name: Maybe(name), ...optionalFields }, { description: 'Changes of a producer.' }),
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
    (context, body) => {
      const fields = { ...toProducerFields(body), name: body.name };
      return context.engine.catalogue.addProducer(fields, actorContext(context));
    },
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
      context.engine.catalogue.changeProducer(id, toProducerFields(body), actorContext(context)),
  ),
  producers.removeWithUndo(
    {
      summary: 'Delete a beverage producer. Refused while it has beverages',
      description:
        'Its picture is deleted too. Refused with 409 while a beverage has it. Written to the audit log, and can be undone: then it is there again under its id and, while that is stored, with its picture.',
    },
    (context, { id }) => correctionIdOf(context.engine.catalogue.removeProducer(id, actorContext(context))),
  ),
];

function toProducerFields(body: Static<typeof ProducerChangeJson>): Partial<ProducerFields> {
  const { origin_state: originState, origin_city: originCity, is_homebrew: isHomebrew } = body;
  return omitUndefined({
    name: body.name,
    country: body.country,
    originState: originState === null ? '' : originState,
    originCity: originCity === null ? '' : originCity,
    isHomebrew,
    url: body.url === null ? '' : body.url,
    description: body.description === null ? '' : body.description,
  });
}
