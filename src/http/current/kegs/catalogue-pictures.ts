import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Corrected, Upload } from '../../../engine/engine.ts';
import { withPicture } from '../../pictures.ts';
import { IdParam, validationError } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext, type RouteContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Open } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';
import { BeverageJson, beverageJson, ProducerJson, producerJson } from '../shared/views.ts';

const params = Open({ id: IdParam });
const accepts = {
  params,
  body: Closed({
    caption: Maybe(
      Type.String({ maxLength: 1_000, description: 'Caption, at most 1000 characters; none unless given.' }),
    ),
  }),
  files: ['image'],
};

const setBeveragePicture = defineRoute({
  id: 'setBeveragePicture',
  method: 'post',
  path: '/beverages/{id}/picture',
  summary: 'Set the picture of a beverage. Replaces the previous one',
  description:
    'Send a multipart form with a picture of up to 10 MiB and 50 megapixels as `image`. It is reduced to two ' +
    'sizes and stored without metadata. Written to the audit log, and can be undone while the previous picture is stored.',
  access: 'staff',
  accepts,
  replies: { status: 200, body: Closed({ beverage: BeverageJson, ...correctionFields }) },
  async run(context, { params: { id }, body, files }) {
    const { engine } = context;
    const set = await setPicture(context, { kind: 'beverage', id }, files.get('image'), body.caption ?? '');
    return { beverage: beverageJson(engine.kegs.catalogue.beverage(id)!), ...correctionIdOf(set) };
  },
});

const setProducerPicture = defineRoute({
  id: 'setProducerPicture',
  method: 'post',
  path: '/beverage-producers/{id}/picture',
  summary: 'Set the picture of a producer. Replaces the previous one',
  description:
    'Send a multipart form with a picture of up to 10 MiB and 50 megapixels as `image`. It is reduced to two ' +
    'sizes and stored without metadata. Written to the audit log, and can be undone while the previous picture is stored.',
  access: 'staff',
  accepts,
  replies: { status: 200, body: Closed({ beverage_producer: ProducerJson, ...correctionFields }) },
  async run(context, { params: { id }, body, files }) {
    const { engine } = context;
    const set = await setPicture(context, { kind: 'producer', id }, files.get('image'), body.caption ?? '');
    return { beverage_producer: producerJson(engine.kegs.catalogue.producer(id)!), ...correctionIdOf(set) };
  },
});

const removePicture = (kind: Item['kind']) =>
  defineRoute({
    id: kind === 'beverage' ? 'removeBeveragePicture' : 'removeProducerPicture',
    method: 'delete',
    path: kind === 'beverage' ? '/beverages/{id}/picture' : '/beverage-producers/{id}/picture',
    summary: 'Delete the picture. Succeeds when there is none',
    description: 'Written to the audit log, and can be undone while the removed picture is stored.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed(correctionFields) },
    run: (context, { params: { id } }) =>
      correctionIdOf(context.engine.kegs.catalogue.removePicture({ kind, id }, actorContext(context))),
  });

/** Pictures of beverages and producers. */
export const cataloguePictureRoutes = [
  setBeveragePicture,
  setProducerPicture,
  removePicture('beverage'),
  removePicture('producer'),
];

interface Item {
  readonly kind: 'beverage' | 'producer';
  readonly id: number;
}

async function setPicture(
  context: RouteContext,
  item: Item,
  upload: Upload | undefined,
  caption: string,
): Promise<Corrected<void>> {
  const { engine } = context;
  const { catalogue } = engine.kegs;
  const existing = item.kind === 'beverage' ? catalogue.beverage(item.id) : catalogue.producer(item.id);
  // Checked first: decoding a picture takes much CPU time.
  if (existing === null)
    throw new AppError('not_found', `There is no ${item.kind} ${item.id}.`, {
      reason: { name: 'not_found' },
    });
  if (upload === undefined)
    throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
  return withPicture(context, { upload, field: 'image' }, (picture) =>
    catalogue.setPicture(item, picture!, caption.trim(), actorContext(context)),
  );
}
