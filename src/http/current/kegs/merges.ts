import { AnyId, IdParam, toId } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, Open } from '../../routes/schemas.ts';
import { BeverageJson, beverageJson, ProducerJson, producerJson } from '../shared/views.ts';

const params = Open({ id: IdParam });
const MergeId = { ...Id, description: 'Id of the merge, by which it is undone.' };

const mergeBeverages = defineRoute({
  id: 'mergeBeverages',
  method: 'post',
  path: '/beverages/{id}/merge',
  summary: 'Merge a duplicate into a beverage',
  description:
    'The kegs of the duplicate, with their drinks, and its announcements as the next beverage of a tap move to the ' +
    'beverage of the address, which keeps its values. It gets the picture and the prices of the duplicate where it has none. The duplicate is deleted. ' +
    '`POST /api/merges/{id}/undo` undoes it. Written to the audit log.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({ beverage_id: { ...AnyId, description: 'Id of the duplicate, which is deleted.' } }),
  },
  replies: { status: 200, body: Closed({ beverage: BeverageJson, merge_id: MergeId }) },
  run(context, { params: { id }, body }) {
    const { merges, catalogue } = context.engine.kegs;
    const ids = { keptId: id, removedId: toId(body.beverage_id) };
    const merge_id = merges.mergeBeverages(ids, actorContext(context));
    return { beverage: beverageJson(catalogue.beverage(id)!), merge_id };
  },
});

const mergeProducers = defineRoute({
  id: 'mergeProducers',
  method: 'post',
  path: '/beverage-producers/{id}/merge',
  summary: 'Merge a duplicate into a beverage producer',
  description:
    'The beverages of the duplicate move to the producer of the address, which keeps its values. It gets the picture of the ' +
    'duplicate if it has none. The duplicate is deleted. `POST /api/merges/{id}/undo` undoes it. Written to the audit log.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({ producer_id: { ...AnyId, description: 'Id of the duplicate, which is deleted.' } }),
  },
  replies: { status: 200, body: Closed({ beverage_producer: ProducerJson, merge_id: MergeId }) },
  run(context, { params: { id }, body }) {
    const { merges, catalogue } = context.engine.kegs;
    const ids = { keptId: id, removedId: toId(body.producer_id) };
    const merge_id = merges.mergeProducers(ids, actorContext(context));
    return { beverage_producer: producerJson(catalogue.producer(id)!), merge_id };
  },
});

const undoMerge = defineRoute({
  id: 'undoMerge',
  method: 'post',
  path: '/merges/{id}/undo',
  summary: 'Undo a merge of beverages or producers',
  description:
    'The duplicate is there again under its id, with those of its kegs or beverages that still belong to the kept one, and ' +
    'with its picture while that is stored. Refused with 409 when one of the two was merged again or deleted since. Written to the audit log.',
  access: 'staff',
  accepts: { params },
  errors: { conflict: ['already_undone', 'merged_since'] },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    context.engine.kegs.merges.undo(id, actorContext(context));
    return {};
  },
});

/** Routes that merge duplicates of the catalogue, for staff. */
export const mergeRoutes = [mergeBeverages, mergeProducers, undoMerge];
