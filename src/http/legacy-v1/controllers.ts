import Type from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Controller } from '../../core/records.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import { Closed, Maybe, Open } from '../routes/schemas.ts';
import { ControllerKegbot, controllerKegbot } from './kegbot-hardware.ts';
import { ControllerReference, controllerReference } from './reference-hardware.ts';

export const listControllers = defineViewedRoute({
  id: 'listControllers',
  method: 'get',
  path: '/controllers',
  summary: 'List controllers',
  description: 'All controllers that own meters or toggles, also this machine.',
  access: 'staff',
  accepts: {},
  status: 200,
  run: ({ engine }) => engine.taps.hardware.controllers(),
  views: {
    reference: view(
      Closed({ controllers: Type.Array(ControllerReference, { description: 'All controllers.' }) }),
      (controllers: readonly Controller[]) => ({ controllers: controllers.map(controllerReference) }),
    ),
    kegbot: view(Type.Array(ControllerKegbot), (controllers: readonly Controller[]) =>
      controllers.map(controllerKegbot),
    ),
  },
});

export const createController = defineViewedRoute({
  id: 'createController',
  method: 'post',
  path: '/controllers',
  summary: 'Create a controller. Refused when the name is taken',
  description:
    'For a new controller, before its meters are created. The name is the first part of its meters’ names.',
  access: 'staff',
  accepts: {
    body: Open({
      name: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Unique name without a dot, such as `kegboard`.',
      }),
      model_name: Maybe(Type.String({ maxLength: 128, description: 'Model, at most 128 characters.' })),
      serial_number: Maybe(
        Type.String({ maxLength: 128, description: 'Serial number, at most 128 characters.' }),
      ),
    }),
  },
  status: 200,
  run: ({ engine }, { body }) =>
    engine.taps.hardware.createController({
      name: body.name,
      ...omitUndefined({ modelName: body.model_name, serialNumber: body.serial_number }),
    }),
  views: {
    reference: view(Closed({ controller: ControllerReference }), (controller: Controller) => ({
      controller: controllerReference(controller),
    })),
    kegbot: view(ControllerKegbot, controllerKegbot),
  },
});
