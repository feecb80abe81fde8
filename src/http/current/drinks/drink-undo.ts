import { defineRoute } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { drinkDetailJson, MaybeDrinkDetailJson, noDrinkJson } from './drink-detail.ts';

export const undoDrink = defineRoute({
  id: 'undoDrink',
  method: 'post',
  path: '/drinks/{id}/undo',
  summary: 'Undo the latest correction of a drink; a cancelled drink is restored',
  description:
    'Restores the values before the latest correction that is not undone yet, and the totals with them. Answers ' +
    'with nulls when the undo removes the drink itself, which happens to the part of a split. Refused with 409 ' +
    'when there is nothing to undo.',
  access: 'staff',
  byPin: true,
  accepts: { params: Open({ id: Id }) },
  errors: {
    conflict: [
      'not_corrected',
      'changed_by_calibration',
      'assigned_with_others',
      'corrected_since',
      'drink_gone',
      'keg_gone',
      'picture_since',
      'meter_gone',
      'calibrated_since',
    ],
  },
  replies: { status: 200, body: MaybeDrinkDetailJson },
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const view = engine.drinks.undo(id, { actor: requestActor(context) }, now);
    return view === null ? noDrinkJson : drinkDetailJson(context, view);
  },
});

/** What flowed at a meter until its tap changes belongs to the tap that it had. */
export const undoCorrectionRoute = ({ counting }: Pick<RouteServices, 'counting'>) =>
  defineRoute({
    id: 'undoCorrection',
    method: 'post',
    path: '/corrections/{id}/undo',
    summary: 'Undo a change by its id in the audit log',
    description:
      'The id is that of an entry in `GET /api/audit` whose `can_undo` is true: a correction of drinks, a drink or spill ' +
      'recorded by hand, a keg that was put on a tap, ended, reactivated or changed, prices or serving sizes that were set, a ' +
      'keg, beverage or producer that was deleted, a merge of two, a change of taps or of what comes next, site settings or the settings of business days, hardware that was changed or deleted, a ' +
      'deleted auth token, or a change of a user (not by PIN). A change of a superuser is undone by superusers only, and so is one of ' +
      'address, role or activity of staff; one of address, role or activity within five minutes after `confirmPassword` and not by API key. Undoes a correction of many drinks, such as a ' +
      'calibration that was applied to a keg, as a whole. Refused with 409 when it is already undone or something that ' +
      'depends on it has happened since: a later correction, drinks of the keg, another keg on the tap, a later change of the hardware, another user with the earlier name.',
    access: 'staff',
    byPin: true,
    writesCredential: { proof: 'correction' },
    accepts: { params: Open({ id: Id }) },
    errors: {
      not_allowed: ['not_on_tablets', 'superusers_only', 'superuser_needed'],
      conflict: [
        'already_undone',
        'corrected_since',
        'drink_gone',
        'keg_gone',
        'keg_changed_since',
        'keg_assigned_since',
        'tap_has_keg',
        'tap_changed_since',
        'keg_not_available',
        'keg_on_tap',
        'spill_gone',
        'picture_since',
        'device_gone',
        'device_changed_since',
        'meter_gone',
        'calibrated_since',
        'record_changed_since',
        'picture_gone',
        'merged_since',
        'token_added_since',
        'name_taken_since',
        'too_many_aliases',
        'last_staff_account',
        'last_superuser',
      ],
    },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      const { engine, now } = context;
      const actor = requestActor(context);
      const least = engine.corrections.leastRole(id);
      if (actor.via !== 'tablet' && least === 'confirmed-superuser') context.requireConfirmedSuperuser();
      if (actor.via !== 'tablet' && least === 'confirmed-staff') context.requireConfirmedLogin();
      for (const meter of engine.corrections.movedMeters(id)) counting.endPour(meter);
      engine.corrections.undo(id, { actor }, now);
      return {};
    },
  });
