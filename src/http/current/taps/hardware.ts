import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Controller, FlowMeter, FlowToggle } from '../../../core/records.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, paginate, pagingJson } from '../shared/paging.ts';
import {
  ControllerJson,
  controllerJson,
  MeterJson,
  meterJson,
  ToggleJson,
  toggleJson,
} from './hardware-views.ts';

const PartParams = Open({ id: Id });

/** Routes that read controllers, flow meters and flow toggles. */
export const hardwareRoutes = [
  defineRoute({
    id: 'listControllers',
    method: 'get',
    path: '/controllers',
    summary: 'List controllers, which own meters and toggles',
    access: 'staff',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingJson, controllers: Type.Array(ControllerJson) }) },
    run({ engine }, { query }) {
      const page = paginate(engine.hardware.controllers(), query);
      return { paging: pagingJson(page), controllers: page.items.map(controllerJson) };
    },
  }),
  defineRoute({
    id: 'getController',
    method: 'get',
    path: '/controllers/{id}',
    summary: 'Get a controller',
    access: 'staff',
    accepts: { params: PartParams },
    replies: { status: 200, body: Closed({ controller: ControllerJson }) },
    run: ({ engine }, { params: { id } }) => ({
      controller: controllerJson(requirePart<Controller>(engine.hardware.controllers(), id, 'controller')),
    }),
  }),
  defineRoute({
    id: 'listMeters',
    method: 'get',
    path: '/flow-meters',
    summary: 'List flow meters with their calibration',
    access: 'staff',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingJson, flow_meters: Type.Array(MeterJson) }) },
    run({ engine }, { query }) {
      const page = paginate(engine.hardware.meters(), query);
      return { paging: pagingJson(page), flow_meters: page.items.map(meterJson) };
    },
  }),
  defineRoute({
    id: 'getMeter',
    method: 'get',
    path: '/flow-meters/{id}',
    summary: 'Get a flow meter',
    access: 'staff',
    accepts: { params: PartParams },
    replies: { status: 200, body: Closed({ flow_meter: MeterJson }) },
    run: ({ engine }, { params: { id } }) => ({
      flow_meter: meterJson(requirePart<FlowMeter>(engine.hardware.meters(), id, 'flow meter')),
    }),
  }),
  defineRoute({
    id: 'listToggles',
    method: 'get',
    path: '/flow-toggles',
    summary: 'List flow toggles (relays that open valves)',
    access: 'staff',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingJson, flow_toggles: Type.Array(ToggleJson) }) },
    run({ engine }, { query }) {
      const page = paginate(engine.hardware.toggles(), query);
      return { paging: pagingJson(page), flow_toggles: page.items.map(toggleJson) };
    },
  }),
  defineRoute({
    id: 'getToggle',
    method: 'get',
    path: '/flow-toggles/{id}',
    summary: 'Get a flow toggle',
    access: 'staff',
    accepts: { params: PartParams },
    replies: { status: 200, body: Closed({ flow_toggle: ToggleJson }) },
    run: ({ engine }, { params: { id } }) => ({
      flow_toggle: toggleJson(requirePart<FlowToggle>(engine.hardware.toggles(), id, 'flow toggle')),
    }),
  }),
];

function requirePart<T extends { readonly id: number }>(all: readonly T[], id: number, noun: string): T {
  const part = all.find((one) => one.id === id);
  if (!part) throw new AppError('not_found', `There is no ${noun} ${id}.`, { reason: { name: 'not_found' } });
  return part;
}
