import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { cleaning } from '../../../src/extensions/cleaning/extension.ts';
import { openingMs } from '../../http/test-server.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';
import { cleaningRequests } from './example-requests.ts';

const hour = 3_600_000;

export const cases: ExtensionCases = {
  name: 'cleaning',
  choices: {
    'mails.cleaning_due.text kind': {
      values: ['caustic', 'acid', 'disinfection', 'parts', 'water'],
      other: 'caustic',
    },
  },
  exampleRequests: cleaningRequests,
  wholeLists: ['listCleaningPlans', 'listCleaningPresets', 'listCleaningSuggestions', 'listRunningCleanings'],
  byPin: [
    'get /cleaning-plans',
    'get /cleaning-suggestions',
    'get /cleanings',
    'get /cleanings/running',
    'get /cleanings/{id}',
    'post /cleaning-suggestions',
    'post /cleaning-suggestions/dismiss',
    'post /cleanings/{id}/cancel',
    'post /cleanings/{id}/finish',
    'post /cleanings/{id}/open-valve',
    'post /cleanings/{id}/picture',
    'post /cleanings/{id}/step',
    'post /taps/{ref}/cleaning',
  ],
  evidence: {
    'the daemon has answered that it did what was asked': ['cleaning.cancelled'],
    'a row of the audit log, written with the change': ['cleaning.corrected', 'cleaning.withdrawn'],
    'the result that a person chose for the entry; "not checked" unless chosen': ['cleaning.results.*'],
    "the cleaning's rows: start, end, pours, and who ended it": [
      ...['cleaning.started', 'cleaning.ended', 'cleaning.unfinished', 'cleaning.flowed'],
      ...['cleaning.parts.beer', 'cleaning.never', 'cleaning.notStated', 'cleaning.logPart'],
    ],
    names: ['cleaning.correct', 'cleaning.lineVolumeHint', 'cleaning.wereDrinks'],
  },
  populate({ engine, left }) {
    const { cleanings } = engine.serviceOf(cleaning);
    const actor = { userId: engine.users.user('anna')!.id, via: 'page' as const };
    const now = { monoMs: 100 * hour, wallMs: openingMs, synced: true, bootId: 'boot-1' };
    const context = { actor, now };
    cleanings.setPlan({ tapId: left.id, kind: 'caustic', intervalDays: 14 }, context);
    cleanings.addManual(
      {
        tapId: left.id,
        kind: 'caustic',
        startedMs: openingMs - 10 * hour,
        endedMs: openingMs - 9 * hour,
        agent: 'Line cleaner',
        rinsePh: 7.2,
        result: 'passed',
      },
      context,
    );
  },
  beforeAnswers({ engine, now }) {
    const ana = { actor: { userId: 1, via: 'page' }, now: now() } as const;
    engine.serviceOf(cleaning).cleanings.start({ tapId: 1, kind: 'caustic' }, ana);
  },
  leaveTraces({ engine, left, now }, [cleanedBy, checkedBy]) {
    const { cleanings } = engine.serviceOf(cleaning);
    const by = { actor: systemActor, now: now() };
    const { id } = cleanings.start({ tapId: left.id, kind: 'water' }, by);
    cleanings.finish(id, { cleanedBy, checkedBy, result: 'passed' }, by);
    return ['cleaning_entries.checked_by', 'cleaning_entries.cleaned_by'];
  },
  background: {
    open() {
      throw new AppError('unavailable', 'No relay can be switched in tests.');
    },
    release() {},
  },
};
