import type { CredentialCase } from '../../http/credentials/credential-routes.ts';
import type { PopulatedServer } from '../../http/current/populated-server.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';
import { askForPairing, boardsOf, boardTablesOf } from './kit/boards.ts';

const device = 'kegboard-cellar';

/** A board asks for pairing. */
const pairing = (server: PopulatedServer) => {
  askForPairing(server, device);
  return { params: { device } };
};

/** A board was allowed. */
const allowed = (server: PopulatedServer) => {
  askForPairing(server, device);
  boardsOf(server.engine).allow(device, {}, server.now());
  return { params: { device } };
};

const writesToken = (id: string, request?: CredentialCase['request']): CredentialCase => ({
  id,
  proof: 'confirmed-login',
  writes: ['board'],
  ...(request && { request }),
});

export const cases: ExtensionCases = {
  name: 'kegboards',
  exampleRequests: {
    listKegboards: { prepare: pairing },
    allowKegboard: { prepare: pairing, body: {} },
    denyKegboard: { prepare: pairing, body: {} },
    revokeKegboard: { prepare: allowed },
    deleteKegboard: { prepare: allowed },
    deauthorizeKegboard: { prepare: allowed, body: {} },
  },
  credentials: {
    cases: [
      writesToken('allowKegboard'),
      writesToken('denyKegboard', { body: {}, prepare: allowed }),
      writesToken('revokeKegboard'),
      writesToken('deleteKegboard'),
    ],
    watched: [
      {
        table: 'kegboards',
        columns: ['token_hash'],
        credential: 'board',
        holds: (row) => `${row}.token_hash IS NOT NULL`,
      },
    ],
  },
  personTraces: {
    columns: ['refused_pours.event'],
    leave: (store, { token, username }) =>
      boardTablesOf(store).refusedPours.add({
        device: 'board',
        bootId: 'b',
        eventId: 1,
        reason: 'too old',
        timeMs: 0,
        event: JSON.stringify({ data: { token, username } }),
      }),
  },
  // Boards that could not report their beer, and access that is taken away.
  allowedOnFullDisk: ['allowKegboard', 'deauthorizeKegboards', 'denyKegboard', 'revokeKegboard'],
  kegbotOperations: [
    'GET /admin/kegboards',
    'POST /admin/kegboards/{device}/allow',
    'POST /admin/kegboards/{device}/deny',
    'POST /admin/kegboards/{device}/revoke',
    'DELETE /admin/kegboards/{device}',
  ],
  smallTables: ['kegboards'],
  wholeLists: ['listKegboards'],
  evidence: {
    'what the board counts and reports about itself': ['kegboards.dropped'],
    'the state that the daemon stores and reports': ['kegboards.boardStates.*'],
  },
  freeChoices: [
    'daemon.problemTexts.kegboard_event_unusable fields',
    'daemon.problemTexts.kegboard_pour_set_aside fields',
  ],
  choices: {
    'daemon.problemTexts.kegboard_batch_refused reason': {
      values: ['too_large', 'not_json', 'media_type', 'fields'],
      other: 'fields',
    },
  },
};
