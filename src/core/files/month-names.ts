/** Months as English, German, Spanish, French and Dutch programs write them, without accents and points. */
const months: readonly string[] = [
  'jan january januar janner jaenner januari janvier janv enero ene',
  'feb february februar febr februari fevrier fevr fev febrero',
  'mar march marz maerz mrz maart mrt mars marzo',
  'apr april avril avr abril abr',
  'may mai mei mayo',
  'jun june juni juin junio',
  'jul july juli juillet juil julio',
  'aug august augustus aout aou agosto ago',
  'sep sept september septembre septiembre setiembre set',
  'oct october oktober okt octobre octubre',
  'nov november novembre noviembre',
  'dec december dez dezember decembre diciembre dic',
];

const weekdays = new Set(
  [
    'mon tue tues wed thu thur thurs fri sat sun',
    'monday tuesday wednesday thursday friday saturday sunday',
    'mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag',
    'lun mie jue vie sab dom lunes martes miercoles jueves viernes sabado domingo',
    'mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche',
    'ma wo vr za zo maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  ].flatMap((names) => names.split(' ')),
);

const byName = new Map(months.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const)));

/** The form in which names are compared. */
export const toPlainWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replaceAll(/\p{M}|\./gu, '')
    .toLowerCase();

/** 1 to 12; null for what is no name of a month. */
export const monthOf = (word: string): number | null => byName.get(toPlainWord(word)) ?? null;

export const isWeekday = (word: string): boolean => weekdays.has(toPlainWord(word));
