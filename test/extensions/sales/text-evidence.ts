/** What each claim of its texts rests on, as in `test/web/locales/evidence.ts`. */
export const salesEvidence: Readonly<Record<string, readonly string[]>> = {
  'the daemon has answered that it did what was asked': [
    'balance.closed',
    'balance.reopened',
    'byPerson.turnedOff',
    'sales.proposalsApplied',
  ],
  'a row of the audit log, written with the change': ['balance.corrections'],
  'the preview compares the lines of the file with those of its till': ['sales.goneLines'],
  'drinks, sales and spills of the span, beyond the ± of the meter': [
    'balance.*',
    'byPerson.lines',
    'byPerson.poured',
  ],
  'the lines of the file as they were read': [
    'sales.counts',
    'sales.readAs',
    'sales.understood',
    'sales.imported*',
    'sales.states.*',
    'sales.categoryIgnored',
    'sales.faults.*',
    'sales.personsDropped',
  ],
  'a setting as it is stored': ['byPerson.off'],
  'nothing: a button, a label, a choice or a hint': [
    'byPerson.days',
    'sales.charset',
    'sales.none',
    'sales.since',
    'sales.steps.*',
    'sales.tax',
  ],
};
