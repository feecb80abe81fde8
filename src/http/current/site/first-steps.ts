import Type from 'typebox';
import { firstStepNames } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Nullable, TextId } from '../../routes/schemas.ts';

/** What staff do on their first day. */
export const getFirstSteps = defineRoute({
  id: 'getFirstSteps',
  method: 'get',
  path: '/first-steps',
  summary: 'List what staff do between the set-up and the first guest, and what of it is done',
  description:
    'Found from the taps, kegs, meters and accounts as they are: a step may become open again, as for a new tap. Only ' +
    'the printing of the menu’s QR code is noted in the settings, as `menu_code_printed`. The page shows the list while ' +
    '`show_first_steps` is set and a step is open.',
  access: 'staff',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      steps: Type.Array(
        Closed({
          name: Type.Enum([...firstStepNames], {
            description:
              'Which step: no tap has the name given by the set-up; a keg was tapped; each tap with a meter has counted; ' +
              'each of these meters is calibrated (the factor of a model is no calibration); there are two staff accounts; the QR code of the menu was printed.',
          }),
          is_done: Type.Boolean({ description: 'True once it is done.' }),
          tap_id: Nullable({ ...TextId, description: 'The first tap that it is open for; null for none.' }),
        }),
        { description: 'In the order in which they are done.' },
      ),
    }),
  },
  run: ({ engine }) => ({
    steps: engine.site.firstSteps.list().map(({ name, isDone, tapId }) => ({
      name,
      is_done: isDone,
      tap_id: tapId === null ? null : String(tapId),
    })),
  }),
});
