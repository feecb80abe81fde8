import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { PinEntry } from '../../../core/taps/pin-entries.ts';
import type { HardwareChange, HardwareService } from '../../hardware-ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, type RouteContext } from '../../routes/route-context.ts';
import { Closed, Id, Nullable, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import {
  NewPinMeterJson,
  NewPinRelayJson,
  PinMeterChangeJson,
  PinRelayChangeJson,
  PortName,
  RelayDecisionJson,
} from './machine-hardware-inputs.ts';
import { HardwareJson } from './machine-hardware-schemas.ts';
import { hardwareJson } from './machine-hardware-views.ts';

const confirmed =
  'Needs a login whose password was confirmed within five minutes; keys and shared tablets are refused with 403. ';
const live =
  'Applied at once, without a restart: a running pour of the part is recorded first, and the other taps go on. Written to ' +
  'the audit log, and can be undone. ';
const refusals =
  'Refused with 409, and nothing changes, when the settings file names the part (`in_settings_file`), when a relay that ' +
  'would have to be closed is open (`relay_is_open`), or when the line cannot be opened (`line_not_opened`).';

const params = Open({ port: PortName });
type PortParams = Static<typeof params>;
const access = { access: 'confirmed-superuser' } as const;
const errors = {
  conflict: ['in_settings_file', 'line_not_opened', 'relay_is_open', 'hardware_changing'],
} as const;
const body = Closed({
  change_id: Nullable({
    ...Id,
    description:
      'Id by which `POST /api/hardware/changes/{id}/undo` undoes it; null when nothing was changed.',
  }),
  restart_needed: Type.Boolean({
    description: 'True when the pin driver cannot apply it before the next start.',
  }),
  hardware: HardwareJson,
});

/** Pins of this machine: meters, relays and thermometers, of the settings file and of the database. */
export const machineHardwareRoutes = ({
  machineHardware: hardware,
}: Pick<RouteServices, 'machineHardware'>): readonly Route[] => {
  const reply = ({ engine }: RouteContext, { changeId, isRestartNeeded }: HardwareChange) => ({
    change_id: changeId,
    restart_needed: isRestartNeeded,
    hardware: hardwareJson(engine, hardware.snapshot()),
  });

  const add = async (context: RouteContext, entry: Parameters<HardwareService['add']>[0]) =>
    reply(context, await hardware.add(entry, actorContext(context)));
  const change = async (
    context: RouteContext,
    kind: PinEntry['kind'],
    { port }: PortParams,
    fields: Parameters<HardwareService['change']>[2],
  ) => reply(context, await hardware.change(kind, port, fields, actorContext(context)));
  const remove = async (context: RouteContext, kind: PinEntry['kind'], { port }: PortParams) =>
    reply(context, await hardware.remove(kind, port, actorContext(context)));

  return [
    defineRoute({
      id: 'getHardware',
      method: 'get',
      path: '/hardware',
      summary:
        'Get meters, relays and thermometers of this machine, with the pins and models that can be chosen',
      description:
        'Parts that the settings file names are `fixed`; the others are kept in the database and can be changed by ' +
        'superusers. `GET /api/admin/wiring` tells what each line does now.',
      access: 'staff',
      accepts: {},
      replies: { status: 200, body: Closed({ hardware: HardwareJson }) },
      run: ({ engine }) => ({ hardware: hardwareJson(engine, hardware.snapshot()) }),
    }),
    defineRoute({
      ...access,
      id: 'addPinMeter',
      method: 'post',
      path: '/hardware/meters',
      summary: 'Count a flow meter on a pin of this machine',
      description: `${confirmed}${live}${refusals} It has no tap yet; \`PATCH /api/taps/{ref}\` gives it one.`,
      accepts: { body: NewPinMeterJson },
      errors,
      replies: { status: 201, body },
      run: (context, { body }) => add(context, { kind: 'meter', ...toMeterFields(body), ...toPlace(body) }),
    }),
    defineRoute({
      ...access,
      id: 'changePinMeter',
      method: 'patch',
      path: '/hardware/meters/{port}',
      summary: 'Change pin, model or edges of a flow meter that is kept in the database',
      description:
        `${confirmed}${live}${refusals} Fields left out keep their values. A new model or \`ticks_per_ml\` sets the ` +
        'calibration of the meter; otherwise its calibration stays.',
      accepts: { params, body: PinMeterChangeJson },
      errors,
      replies: { status: 200, body },
      run: (context, input) => change(context, 'meter', input.params, toMeterFields(input.body)),
    }),
    defineRoute({
      ...access,
      id: 'deletePinMeter',
      method: 'delete',
      path: '/hardware/meters/{port}',
      summary: 'Stop counting a flow meter that is kept in the database, and free its pin',
      description: `${confirmed}${live}${refusals} Its tap has no meter then; its drinks stay.`,
      accepts: { params },
      errors,
      replies: { status: 200, body },
      run: (context, input) => remove(context, 'meter', input.params),
    }),
    defineRoute({
      ...access,
      id: 'addPinRelay',
      method: 'post',
      path: '/hardware/relays',
      summary: 'Switch a relay on a pin of this machine',
      description: `${confirmed}${live}${refusals} The pin is driven to the level at which the relay is off before anything else.`,
      accepts: { body: NewPinRelayJson },
      errors,
      replies: { status: 201, body },
      run: (context, { body }) => add(context, { kind: 'relay', ...toRelayFields(body), ...toPlace(body) }),
    }),
    defineRoute({
      ...access,
      id: 'changePinRelay',
      method: 'patch',
      path: '/hardware/relays/{port}',
      summary: 'Change pin or level of a relay that is kept in the database',
      description: `${confirmed}${live}${refusals} Fields left out keep their values.`,
      accepts: { params, body: PinRelayChangeJson },
      errors,
      replies: { status: 200, body },
      run: (context, input) => change(context, 'relay', input.params, toRelayFields(input.body)),
    }),
    defineRoute({
      ...access,
      id: 'deletePinRelay',
      method: 'delete',
      path: '/hardware/relays/{port}',
      summary: 'Take away a relay that is kept in the database, and free its pin',
      description: `${confirmed}${live}${refusals} Its tap has no valve then.`,
      accepts: { params },
      errors,
      replies: { status: 200, body },
      run: (context, input) => remove(context, 'relay', input.params),
    }),
    defineRoute({
      ...access,
      id: 'decideRelays',
      method: 'post',
      path: '/hardware/other-machine',
      summary: 'Use or remove the relays that were wired to another machine',
      description:
        `${confirmed}A database that was restored or copied from another machine names relays on pins at which something else may ` +
        'be wired here. They have the state `other_machine` and are not driven until this decision; `PATCH` and `DELETE` decide ' +
        'about a single one. Refused with 409 when there is none (`no_other_machine`) or a line cannot be opened ' +
        '(`line_not_opened`). Written to the audit log; cannot be undone.',
      accepts: { body: RelayDecisionJson },
      errors: { conflict: ['no_other_machine', 'line_not_opened', 'hardware_changing'] },
      replies: { status: 200, body },
      run: async (context, input) =>
        reply(context, await hardware.decideRelays(input.body.decision, actorContext(context))),
    }),
    defineRoute({
      ...access,
      id: 'undoHardwareChange',
      method: 'post',
      path: '/hardware/changes/{id}/undo',
      summary: 'Undo the newest change of meters and relays on pins',
      description:
        `${confirmed}The part gets its previous settings, tap and calibration back, at once as by every other change. ` +
        'Refused with 409 when another change was made since (`hardware_changed_since`). Written to the audit log.',
      accepts: { params: Open({ id: Id }) },
      errors: { conflict: [...errors.conflict, 'already_undone', 'hardware_changed_since'] },
      replies: { status: 200, body },
      run: async (context, input) =>
        reply(context, await hardware.undo(input.params.id, actorContext(context))),
    }),
    defineRoute({
      ...access,
      id: 'restartDaemon',
      method: 'post',
      path: '/hardware/restart',
      summary: 'Restart the program, for changes that the pin driver cannot apply at once',
      description:
        `${confirmed}Running pours are recorded and valves are shut; the page is back some seconds later. Refused with 409 ` +
        'where no service manager would start the program again (`no_service_manager`). Written to the audit log.',
      accepts: {},
      errors: { conflict: ['no_service_manager'] },
      replies: { status: 200, body: Closed({}) },
      run(context) {
        hardware.restart(actorContext(context));
        return {};
      },
    }),
  ];
};

const toPlace = ({ port, pin }: { readonly port?: string | undefined; readonly pin: number }) => ({
  pin,
  ...omitUndefined({ port }),
});

const toMeterFields = (body: Static<typeof PinMeterChangeJson>) =>
  omitUndefined({
    pin: body.pin,
    model: body.model,
    ticksPerMl: body.ticks_per_ml,
    minGapMs: body.min_gap_ms,
    bias: body.bias,
    edge: body.edge,
  });

const toRelayFields = (body: Static<typeof PinRelayChangeJson>) =>
  omitUndefined({ pin: body.pin, activeLow: body.active_low });
