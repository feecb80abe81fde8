import Type, { type Static } from 'typebox';
import type { ProducerFields } from '../../../engine/engine.ts';
import { actorContext } from '../../auth/actor-context.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { ProducerJson, producerJson } from '../shared/views.ts';

const params = Open({ id: Id });
const ProducerReply = Closed({ beverage_producer: ProducerJson });

const text = (maxLength: number) => Maybe(Nullable(Type.String({ maxLength })));

const name = Type.String({ minLength: 1, maxLength: 255 });
const optionalFields = {
  country: Maybe(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 3166, three letters; default `USA`.' }),
  ),
  origin_state: text(128),
  origin_city: text(128),
  is_homebrew: Maybe(Type.Boolean()),
  url: text(200),
  description: text(10_000),
};
const NewProducerJson = named('NewProducer', Closed({ name, ...optionalFields }));
const ProducerChangeJson = named('ProducerChange', Closed({ name: Maybe(name), ...optionalFields }));

const createProducer = defineRoute({
  id: 'createProducer',
  method: 'post',
  path: '/beverage-producers',
  summary: 'Create a beverage producer',
  access: 'staff',
  accepts: { body: NewProducerJson },
  replies: { status: 201, body: ProducerReply },
  run: (context, { body }) => ({
    beverage_producer: producerJson(
      context.engine.catalogue.addProducer(
        { ...toProducerFields(body), name: body.name },
        actorContext(context),
      ),
    ),
  }),
});

const changeProducer = (method: 'put' | 'patch') =>
  defineRoute({
    id: method === 'put' ? 'replaceProducer' : 'changeProducer',
    method,
    path: '/beverage-producers/{id}',
    summary: 'Change a beverage producer. Fields left out keep their values',
    access: 'staff',
    accepts: { params, body: method === 'put' ? NewProducerJson : ProducerChangeJson },
    replies: { status: 200, body: ProducerReply },
    run: (context, { params: { id }, body }) => ({
      beverage_producer: producerJson(
        context.engine.catalogue.changeProducer(id, toProducerFields(body), actorContext(context)),
      ),
    }),
  });

const removeProducer = defineRoute({
  id: 'removeProducer',
  method: 'delete',
  path: '/beverage-producers/{id}',
  summary: 'Delete a beverage producer. Refused while it has beverages',
  access: 'staff',
  accepts: { params },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    context.engine.catalogue.removeProducer(id, actorContext(context));
    return {};
  },
});

/** Routes that change beverage producers, for staff. */
export const producerChangeRoutes = [
  createProducer,
  changeProducer('put'),
  changeProducer('patch'),
  removeProducer,
];

function toProducerFields(body: Static<typeof ProducerChangeJson>): Partial<ProducerFields> {
  const { origin_state: originState, origin_city: originCity, is_homebrew: isHomebrew } = body;
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.country === undefined ? {} : { country: body.country }),
    ...(originState === undefined ? {} : { originState: originState ?? '' }),
    ...(originCity === undefined ? {} : { originCity: originCity ?? '' }),
    ...(isHomebrew === undefined ? {} : { isHomebrew }),
    ...(body.url === undefined ? {} : { url: body.url ?? '' }),
    ...(body.description === undefined ? {} : { description: body.description ?? '' }),
  };
}
