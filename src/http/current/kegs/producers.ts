import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { ProducerFields } from '../../../engine/engine.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { toPageRequest } from '../shared/paging.ts';
import { readableResource } from '../shared/resource.ts';
import { ProducerJson, producerJson } from '../shared/views.ts';

const text = (maxLength: number) => Maybe(Nullable(Type.String({ maxLength })));

const name = Type.String({ minLength: 1, maxLength: 255 });
const optionalFields = {
  country: Maybe(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'ISO 3166, three letters; default `USA`.',
      ...errorWords('must be three letters of ISO 3166 such as DEU', { name: 'country' }),
    }),
  ),
  origin_state: text(128),
  origin_city: text(128),
  is_homebrew: Maybe(Type.Boolean()),
  url: text(200),
  description: text(10_000),
};
const NewProducerJson = named('NewProducer', Closed({ name, ...optionalFields }));
const ProducerChangeJson = named('ProducerChange', Closed({ name: Maybe(name), ...optionalFields }));

const producers = readableResource({
  name: 'Producer',
  noun: 'producer',
  path: '/beverage-producers',
  access: 'viewer',
  item: 'beverage_producer',
  items: 'beverage_producers',
  json: ProducerJson,
  show: producerJson,
});

export const producerRoutes = [
  producers.list('List beverage producers, newest first', ({ lists }, query) =>
    lists.producers(toPageRequest(query)),
  ),
  producers.get('Get a beverage producer', ({ lists }, id) => lists.producer(id)),
  producers.create('Create a beverage producer', NewProducerJson, (context, body) => {
    const fields = { ...toProducerFields(body), name: body.name };
    return context.engine.catalogue.addProducer(fields, actorContext(context));
  }),
  ...producers.change(
    'Change a beverage producer. Fields left out keep their values',
    { put: NewProducerJson, patch: ProducerChangeJson },
    (context, { id }, { body }) =>
      context.engine.catalogue.changeProducer(id, toProducerFields(body), actorContext(context)),
  ),
  producers.remove('Delete a beverage producer. Refused while it has beverages', (context, { id }) =>
    context.engine.catalogue.removeProducer(id, actorContext(context)),
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
