import type { Refusals, Rules } from '../../core/rules/reasons.ts';
import { auditGerman } from './audit-german.ts';

type Wordings<T> = { readonly [K in keyof T]: (facts: T[K]) => string };

const notUndone = 'Das lässt sich nicht zurücknehmen';
const askStaff = 'Bitte das Personal fragen.';

/** German text of each refusal reason, by the reason's name. */
export const refusalsGerman: Wordings<Refusals> = {
  wrong_login: () => 'Name und Passwort passen nicht zusammen.',
  wrong_password: () => 'Das jetzige Passwort stimmt nicht.',
  wrong_pin: () => 'Name und PIN passen nicht zusammen.',
  wrong_code: () =>
    'Das ist nicht der Code auf der Konsole. Er ändert sich mit jedem Start: bitte noch einmal nachsehen.',
  pin_paused: ({ seconds }) =>
    `Zu viele falsche PINs. In ${seconds < 100 ? inSeconds(seconds) : `${Math.ceil(seconds / 60)} Minuten`} geht es weiter.`,
  pin_locked: () =>
    'Für diesen Namen wurden zu viele falsche PINs getippt. Einmal mit dem Passwort anmelden, dann gilt die PIN wieder.',
  rate_limited: ({ what }) =>
    ({
      passwords:
        'Zu viele falsche Passwörter von dieser Adresse. Bitte eine Viertelstunde warten, dann noch einmal.',
      codes: 'Zu viele falsche Codes von dieser Adresse. Bitte eine Viertelstunde warten, dann noch einmal.',
      mails:
        'Zu viele E-Mails oder Konten für diese Adresse. Bitte eine Viertelstunde warten, dann noch einmal.',
      keys: 'Zu viele falsche Schlüssel von dieser Adresse. Schlüssel prüfen und in einer Minute noch einmal.',
      requests: 'Zu viel auf einmal. Bitte etwas später noch einmal.',
    })[what],
  too_many_logins: () => 'Gerade melden sich viele an: gleich noch einmal versuchen.',
  switched_off: () => `Dieses Konto ist ausgeschaltet. ${askStaff}`,
  login_needed: () => 'Bitte anmelden.',
  login_expired: () => 'Diese Anmeldung ist vorbei. Bitte neu anmelden.',
  pin_needed: () => 'Bitte sagen, wer da ist: Name und PIN.',
  staff_only: () => 'Das darf nur das Personal. Bitte mit einem solchen Konto anmelden.',
  not_on_tablets: () =>
    'Das geht nicht auf einem gemeinsamen Tablet: bitte mit eigenem Namen und Passwort anmelden.',
  cross_site_request: () =>
    'Das geht nur auf der eigenen Seite dieses Hauses: bitte sie unter dem Namen oder der Adresse des Rechners öffnen.',
  set_up_required: () =>
    'Das Haus ist noch nicht eingerichtet: bitte seine Seite öffnen und den Schritten folgen.',
  already_set_up: () => 'Das Haus ist schon eingerichtet.',
  invitation_required: () =>
    'In diesem Haus lädt das Personal ein; ein Konto gibt es mit dem Link der Einladung.',
  link_invalid: () =>
    'Diese Einladung wurde schon benutzt, ist abgelaufen oder galt nie. Bitte um eine neue bitten.',
  account_off: () => 'Dieses Konto ist ausgeschaltet. Es erst einschalten.',
  has_password: () =>
    'Dieses Konto hat ein Passwort. Wer es vergessen hat, lässt sich bei der Anmeldung einen Link für ein neues schicken.',
  no_mail_address: () => 'Dieses Konto hat keine Mailadresse. Ihm eine geben oder sein Passwort setzen.',
  no_mail_server: () =>
    'Dieses Haus verschickt keine E-Mails. Erst den Mailserver eintragen oder das Passwort des Kontos setzen.',
  no_site_address: () =>
    'Links in E-Mails brauchen die Adresse dieses Hauses: Das Personal trägt sie unter „E-Mail“ ein. Oder die Seite unter dem eigenen Namen des Rechners öffnen.',
  link_sent_recently: ({ seconds }) =>
    `Ein Link ist schon unterwegs: bitte nachsehen lassen, auch bei der unerwünschten Post. Der nächste geht in ${inSeconds(seconds)}.`,
  superusers_only: () => 'Einen Verwalter darf nur ein Verwalter ändern.',
  last_staff_account: () =>
    'Das ist das letzte Konto, das sich um das Haus kümmert. Erst ein anderes zum Personal machen.',

  not_found: () => 'Das gibt es hier nicht oder nicht mehr.',
  no_current_session: () => 'Gerade trinkt niemand.',
  tap_has_keg: ({ keg, tap }) => `Fass ${keg} ist noch am Hahn „${tap}“: es erst abnehmen.`,
  tap_is_empty: ({ tap }) => `Am Hahn „${tap}“ ist kein Fass, das man abnehmen könnte.`,
  keg_on_tap: ({ keg, tap }) => `Fass ${keg} ist am Hahn „${tap}“: es erst dort abnehmen.`,
  keg_on_other_tap: ({ keg }) => `Fass ${keg} ist schon an einem anderen Hahn: es erst dort abnehmen.`,
  keg_finished: ({ keg }) =>
    `Fass ${keg} ist zu Ende: es erst zurückholen, dann kann es wieder an einen Hahn.`,
  keg_not_finished: ({ keg }) =>
    `Fass ${keg} ist nicht zu Ende; zurückholen lässt sich nur eines, das es ist.`,
  keg_has_records: ({ keg, drinks, spills }) =>
    `Aus Fass ${keg} kamen ${told(drinks, 'Getränk', 'Getränke')} und ${told(spills, 'Verlust', 'Verluste')}: Es bleibt in den Büchern. Stattdessen beenden.`,
  keg_not_available: ({ keg }) =>
    `Fass ${keg} wartet nicht im Keller: Nur ein wartendes Fass kann das nächste sein.`,
  beverage_in_kegs: ({ beverage }) => `${beverage} ist in Fässern: Es bleibt, solange es sie gibt.`,
  producer_has_beverages: ({ producer }) => `Von ${producer} gibt es noch Biere: diese erst löschen.`,
  in_configuration: ({ what }) =>
    `In der Konfigurationsdatei steht ${what}: dort herausnehmen und Tapster neu starten.`,
  on_serial_port: ({ what }) =>
    `Zu einer angesteckten Platine gehört ${what}: sie erst abziehen und Tapster neu starten.`,
  board_disconnected: ({ relay }) =>
    `Das Relais „${relay}“ hängt an einer Platine, die nicht mit diesem Rechner verbunden ist.`,
  relay_stuck: ({ relay }) =>
    `Das Relais „${relay}“ lässt sich nicht abschalten: dem Ventil den Strom nehmen.`,
  no_relays: () => 'Dieser Rechner schaltet keine Relais.',
  taps_not_simulated: () => 'Die Hähne dieses Hauses sind echt. Nur simulierte zapfen auf Befehl.',
  queue_full: () => 'An diesem Hahn wartet schon genug: etwas später noch einmal.',
  clock_synchronized: () => 'Die Uhr geht schon richtig.',
  clock_not_set: () => 'Das Haus weiß nicht, wie spät es ist: erst die Uhr stellen, dann noch einmal.',

  drink_held: ({ drink }) => `Getränk ${drink} wartet auf Durchsicht: es erst behalten, am richtigen Fass.`,
  drink_not_held: ({ drink }) => `Getränk ${drink} wartet nicht auf Durchsicht.`,
  drink_has_user: ({ drink }) => `Getränk ${drink} gehört schon jemandem: Ändern kann es das Personal.`,
  drink_too_old: ({ drink }) => `Getränk ${drink} ist zu lange her: Zuordnen kann es das Personal.`,
  claim_expired: ({ drink }) =>
    `Getränk ${drink} hast du nicht eben erst genommen: Ändern kann es das Personal.`,
  no_claims: () => `In diesem Haus nimmt sich niemand Getränke selbst. ${askStaff}`,
  own_drinks_only: ({ drink }) => `Getränk ${drink} kann nur ändern, wer es getrunken hat, und das Personal.`,
  volume_for_staff: () => 'Die Menge eines Getränks ändert das Personal.',
  not_corrected: ({ drink }) => `Getränk ${drink} wurde nicht berichtigt: Es gibt nichts zurückzunehmen.`,
  corrected_since: ({ drink }) =>
    `Getränk ${drink} wurde inzwischen noch einmal berichtigt: erst das zurücknehmen.`,
  already_undone: () => 'Das wurde schon zurückgenommen.',
  changed_by_calibration: ({ drink }) =>
    `Die Menge von Getränk ${drink} kommt mit anderen aus einer Kalibrierung: diese unter „Wer was geändert hat“ als Ganzes zurücknehmen.`,
  drink_gone: ({ drink }) => `${notUndone}: Getränk ${drink} gibt es nicht mehr.`,
  keg_gone: ({ keg }) => `${notUndone}: Fass ${keg} gibt es nicht mehr.`,
  picture_since: ({ drink }) => `${notUndone}: Getränk ${drink} hat inzwischen ein Bild.`,
  meter_gone: () => `${notUndone}: Den Zähler gibt es nicht mehr.`,
  calibrated_since: ({ meter }) => `${notUndone}: Der Zähler „${meter}“ wurde inzwischen neu kalibriert.`,
  different_kegs: ({ drink, other }) => `${together(drink, other)}: Sie kamen aus verschiedenen Fässern.`,
  different_sessions: ({ drink, other }) => `${together(drink, other)}: Sie gehören zu verschiedenen Runden.`,
  different_meters: ({ drink, other }) => `${together(drink, other)}: Verschiedene Zähler haben sie gezählt.`,
  time_uncertain: ({ drink, other }) =>
    `${together(drink, other)}: Die Zeit des einen steht noch nicht fest.`,
  sum_too_large: ({ drink, other }) =>
    `${together(drink, other)}: Zusammen sind sie mehr, als ein Getränk sein kann.`,

  disk_full: () => 'Der Speicher ist voll, nichts kann mehr eingetragen werden: bitte Platz schaffen.',
  disk_faulty: () => 'Der Speicher antwortet nicht, wie er soll: bitte SD-Karte und freien Platz prüfen.',
  database_busy: () => 'Ein anderes Programm hält die Bücher fest: gleich noch einmal versuchen.',
  database_read_only: () =>
    'Die Bücher lassen sich nur lesen: bitte prüfen, wem die Datei gehört und ob der Speicher beschreibbar ist.',
  database_damaged: () => 'Die Bücher sind beschädigt oder gar keine: bitte eine Sicherung zurückspielen.',
  database_not_open: () => 'Die Bücher sind noch nicht offen: gleich noch einmal versuchen.',
  backup_running: () => 'Es wird gerade eine Sicherung gemacht: bitte warten, bis sie fertig ist.',
  no_mail: () => `Dieses Haus verschickt keine E-Mails. ${askStaff}`,
  too_large: ({ kilobytes }) =>
    `Das ist zu groß: Mehr als ${kilobytes < 4_000 ? `${kilobytes} KiB` : `${Math.floor(kilobytes / 1024)} MiB`} werden nicht genommen.`,
  no_disk_space: ({ megabytes }) =>
    `Der Speicher hat nur noch Platz für ${megabytes} MB: bitte Platz schaffen oder einen größeren nehmen.`,
  internal_error: ({ fault }) => `Hier drin ist etwas schiefgegangen. Im Protokoll steht es als ${fault}.`,
};

/** German text of each validation rule, by the rule's name. */
export const rulesGerman: Wordings<Rules> = {
  required: () => 'fehlt noch',
  unknown: () => 'ist hier nicht bekannt',
  whole: () => 'muss eine ganze Zahl sein',
  number: () => 'muss eine Zahl sein',
  flag: () => 'muss Ja oder Nein sein',
  text: () => 'muss ein Text sein',
  at_least: ({ least }) => `muss mindestens ${figure(least)} sein`,
  at_most: ({ most }) => `darf höchstens ${figure(most)} sein`,
  above: ({ limit }) => `muss größer als ${figure(limit)} sein`,
  below: ({ limit }) => `muss kleiner als ${figure(limit)} sein`,
  characters_at_least: ({ least }) => `braucht mindestens ${characters(least)}`,
  characters_at_most: ({ most }) => `darf höchstens ${characters(most)} haben`,
  one_of: ({ allowed }) => `muss eines davon sein: ${allowed}`,
  whole_from_to: ({ least, most }) => `muss eine ganze Zahl von ${figure(least)} bis ${figure(most)} sein`,
  number_from_to: ({ least, most }) => `muss eine Zahl von ${figure(least)} bis ${figure(most)} sein`,
  text_from_to: ({ least, most }) => `braucht ${figure(least)} bis ${characters(most)}`,
  digits_from_to: ({ least, most }) => `braucht ${least} bis ${most} Ziffern`,
  either: ({ other }) => `wird gebraucht oder aber ${fieldsGerman[other] ?? other}, genau eines von beiden`,
  taken: () => 'ist schon vergeben',
  already_exists: () => 'gibt es hier schon',
  exists: ({ what }) =>
    `muss ${
      {
        account: 'der Name eines Kontos',
        beverage: 'ein bekanntes Bier',
        controller: 'eine bekannte Platine',
        keg: 'ein bekanntes Fass',
        keg_size: 'eine bekannte Fassgröße',
        producer: 'eine bekannte Brauerei',
        tap: 'ein bekannter Hahn',
        thermometer: 'ein bekanntes Thermometer',
      }[what]
    } sein`,
  does_not_match: ({ what }) =>
    what === 'pin' ? 'ist nicht die PIN zu diesem Namen' : 'ist nicht das Passwort dieses Kontos',
  console_code: () => 'muss der Code sein, den die Konsole dieses Rechners zeigt',
  easily_guessed: () => 'wird zu leicht erraten: bitte eine andere wählen',
  username_characters: () => 'darf nur Buchstaben, Ziffern und _ . @ + - enthalten',
  mail_address: () => 'muss eine E-Mail-Adresse wie anna@example.org sein',
  web_address: () => 'muss eine Adresse mit http:// oder https:// sein',
  date: () => 'muss ein Tag des Kalenders sein, etwa 2024-09-01',
  days_from_first: ({ most }) =>
    `darf nicht vor dem ersten Tag liegen und höchstens ${figure(most)} Tage danach`,
  time_zone: () => 'muss ein Name wie Europe/Berlin sein',
  currency: () => 'braucht drei Buchstaben wie EUR',
  country: () => 'braucht drei Buchstaben nach ISO 3166 wie DEU',
  colour: () => 'muss eine Farbe wie #C35900 sein',
  picture: () => 'braucht ein lesbares Bild (JPEG, PNG, WebP, AVIF, TIFF oder GIF) bis 50 Megapixel',
  link: () => 'gehört zu einem Link, der schon benutzt wurde, abgelaufen ist oder nie galt',
  staff_only: () => 'erfährt nur das Personal',
  no_dot: () => 'darf keinen Punkt enthalten',
};

/** Joins the validation errors of several fields to one sentence. */
export const joinFieldErrors = (faults: string) => `Das passt noch nicht: ${faults}.`;

/** German text of a status, for errors without a named reason. */
export const statusGerman: Readonly<Record<number, string>> = {
  400: 'Das passt so nicht.',
  401: 'Bitte anmelden.',
  403: 'Das ist hier nicht erlaubt.',
  404: 'Das gibt es hier nicht.',
  405: 'Das geht an dieser Adresse nicht.',
  409: 'Das geht im Augenblick nicht.',
  410: 'Das gibt es nicht mehr.',
  413: 'Das ist zu groß.',
  415: 'Das lässt sich so nicht lesen.',
  429: 'Das war zu viel auf einmal.',
  500: 'Hier drin ist etwas schiefgegangen.',
  503: 'Das geht gerade nicht: später noch einmal versuchen.',
};

/** Names of fields on the page; other fields keep their API name. */
export const fieldsGerman: Readonly<Record<string, string>> = {
  ...auditGerman.fields,
  password: 'Passwort',
  current_password: 'jetziges Passwort',
  new_password: 'neues Passwort',
  pin: 'PIN',
  email: 'E-Mail-Adresse',
  code: 'Code',
  url: 'Adresse',
  grams: 'Gramm',
  full_volume_ml: 'Inhalt',
  beverage_id: 'Bier',
  tap: 'Hahn',
  first: 'erster Tag',
  last: 'letzter Tag',
  image: 'Bild',
};

const figures = new Intl.NumberFormat('de', { maximumFractionDigits: 3 });
const figure = (value: number) => figures.format(value);
const characters = (count: number) => `${figure(count)} Zeichen`;
const inSeconds = (count: number) => told(count, 'Sekunde', 'Sekunden');
const told = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const together = (drink: number, other: number) =>
  `Die Getränke ${drink} und ${other} lassen sich nicht zu einem machen`;
