import type { ApiDefinition } from '../routes/api-definition.ts';

const description = `
Every read and write of the bar: taps, kegs, drinks, users, hardware and settings. All addresses below are served by the Pi in the
bar; nothing leaves it.

## Authentication

Send an API key in the header \`X-Kegbot-Api-Key\` or as \`Authorization: Bearer <key>\`. \`Authorization: Basic\` with the user name
\`api\` and a query parameter \`api_key\` work as well, and a field \`api_key\` of the body where a token is looked up with \`POST\`; the
first one found in this order counts: header, body, query, Bearer, Basic. A refused request’s body is not read. A key belongs to a user and has this user's permissions. Users create keys with
\`POST /api/api-keys\`, on the page under *Account*, or with \`tapster key create NAME\` on the machine; a key is shown once.

Browsers log in with \`POST /api/auth/login\` and then send the cookie \`sessionid\`. Requests that change something and carry the
cookie are refused for pages of other sites. Over HTTPS the cookie is \`__Host-sessionid\`. From other machines what carries a
secret, and what staff change with a cookie, may need HTTPS: then plain HTTP is refused with the reason \`https_required\`. A few operations, marked by the reason \`password_needed\`, need the password again.

Roles are *guest* (no key and no login), *member*, *staff* and *superuser*. What guests may read is decided by the setting
\`privacy\` of the site. Permission is checked before existence: who may not read an object cannot find out whether it exists.
A shared tablet is a browser without a user: with the header \`X-Tapster-Pin-Unlock\` it acts for the member of staff who entered a
PIN.

Until the site is set up, requests without a key or login are answered 409 with the reason \`set_up_required\`.

## Requests and replies

Bodies are JSON objects in UTF-8, at most 64 KiB; operations that take a picture or a file read \`multipart/form-data\` as well.
Fields and query parameters that an operation does not know are refused. A success is \`{"result": …}\`: 201 if something was
created, 202 if the work goes on in the background, else 200. Deletions answer \`{"result": {}}\`. Addresses work with and without a
slash at the end; every \`GET\` works as \`HEAD\`, and \`OPTIONS\` answers with \`Allow\`.

**Later versions may add properties to replies, values to enumerations of replies, reasons and rules**: a client must ignore what it
does not know. Nothing is removed or renamed.

Units are in the names of properties or in \`x-unit\`: volumes are millilitres, temperatures degrees Celsius, durations seconds.
Numbers have full precision; round when you show them.

## Times

Replies have times in UTC, \`2026-05-02T17:04:11Z\`. Requests accept ISO 8601 with a zone, or whole Unix seconds. A Pi has no clock
of its own: a drink with \`time_certain\` false was poured before the clock was set, and its time may still change.

## Lists and paging

Each list has its rows beside the same object \`paging\`.
Lists are in pages of \`limit\` items (100 unless given, 1000 at most), the newest first. \`paging.next\` is the address of the next
page and \`paging.prev\` of the one before, both with the filters of the request, or null at the end: follow them as they are. The
parameter \`start\` is the highest id to list, so a page stays the same while new items arrive. \`paging.total\` counts the items of
the whole list.

Short lists without these parameters, such as the taps, are answered whole: \`paging\` has their number as \`total\` and
\`limit\`, and null as \`next\` and \`prev\`.

## Errors

An error is \`{"error": {"code", "message", "fields", "reason", "rules", "problem"}}\`. \`message\` is a sentence for people. \`code\` names the
kind of error, see the schema *Failure*. \`fields\` has for each wrong field what is allowed there, and \`rules\` the same for programs.
\`reason.name\` says why a request that fits its schema is refused, with the facts beside it. \`problem\` says what does not work, if
the request failed because of it. Each operation lists the statuses and
reasons that it can give. In addition, an unknown address is answered 404, an address without the method 405 with \`Allow\`, and a
malformed HTTP request 400, 408, 414 or 431 by the HTTP server itself.

## Repeating requests

A request that got no answer can be sent again safely if it carries an \`Idempotency-Key\` of your choice: the same user gets
the first answer again for 15 minutes, and nothing is done twice. A different request with the same key is refused with the reason
\`idempotency_key_reused\`. At 429 and 503 wait for \`Retry-After\` seconds.

## Limits

An address may read 6000 and write 6000 times in 10 s, a key as often; \`RateLimit\` and \`RateLimit-Policy\` say what is left. Wrong
keys, passwords, codes and requests for mails have lower limits. A limit is answered 429 with the reason \`rate_limited\`.
`.trim();

/** Texts of the current API for its OpenAPI document. */
export const about: ApiDefinition['about'] = {
  summary: 'The current API of Tapster, which counts, records and serves the drinks of a bar',
  description,
  tags: {
    root: 'The addresses of the API.',
    status: 'The whole bar at a glance.',
    live: 'A stream of what happens, as server-sent events.',
    drinks: 'Recorded pours, and their corrections: assign, move, split, join, cancel, undo.',
    'held-pours':
      'Pours that look impossible or have no tap. Staff keep or discard them; until then nothing counts them.',
    claims: 'Drinks without a user that the caller may still claim.',
    corrections: 'Corrections by their id in the audit log.',
    sessions: 'Drinks that follow each other without a long pause form a session.',
    events: 'What happened: drinks, sessions, kegs. Can be waited for.',
    pictures: 'Pictures of drinks, users, beverages and the site.',
    taps: 'Taps, the kegs on them, and the meter, valve and thermo sensor that belong to them.',
    'tap-order': 'The order in which taps are listed, and their numbers.',
    kegs: 'Kegs in stock, on a tap and finished.',
    'keg-sizes': 'The known sizes of kegs.',
    beverages: 'What is in the kegs.',
    'serving-sizes': 'The sizes in which the site sells drinks.',
    'beverage-producers': 'Breweries and other producers.',
    merges: 'Merges of duplicate beverages and producers, by their id in the audit log.',
    'flow-meters': 'Flow meters and their calibration.',
    'flow-toggles': 'Relays that open and shut the valves of taps.',
    controllers: 'Controllers own meters and toggles; they report pours.',
    'thermo-sensors': 'Thermo sensors and their temperatures.',
    'thermo-logs': 'Recorded temperatures of all sensors.',
    'temperature-sheets': 'The temperatures of a month by day, for inspectors.',
    'auth-tokens': 'Cards, fobs and other tokens by which users are recognized at a tap.',
    users: 'Accounts.',
    auth: 'Logging in and out, registration, forgotten passwords.',
    account: 'The caller’s own account.',
    'api-keys': 'The caller’s own API keys.',
    'notification-settings': 'Which news the caller gets by mail.',
    invitations: 'Invitations to register.',
    tablets: 'Browsers that are shared at the bar.',
    tablet: 'What a shared tablet does: who has a PIN, and entering one.',
    stats: 'Totals and distributions.',
    reports: 'Business days: what was poured, spilled and held.',
    audit: 'Who changed what.',
    export: 'Whole histories as tables.',
    'export-sizes': 'How many rows an export of chosen days has.',
    business: 'The end of the business day.',
    prices: 'Prices of beverages.',
    'price-schedules': 'Prices at times: happy hours, weekdays and events.',
    'report-mail': 'The report of the day by mail.',
    site: 'Settings of the site.',
    features: 'What a site switches on and off.',
    'first-steps': 'What staff do between the set-up and the first guest.',
    setup: 'The first set-up, with the code from the console.',
    demo: 'The log-in that a demo offers to everybody, and its reset; only a demo has them.',
    clock: 'The clock of a machine without a network.',
    simulator: 'Pours and pulses of simulated meters, for demonstrations and tests.',
    'unknown-tokens': 'Tokens presented lately that belong to nobody.',
    grants: 'Open permissions to pour.',
    valves: 'Valves that are open.',
    hardware: 'Meters, relays and thermometers on this machine’s pins, and what can be chosen for them.',
    wiring: 'Pins, sensors and boards as they are seen now.',
    mail: 'The mail server.',
    'email-test': 'A mail to try the mail server.',
    alarms: 'Alarms, open and past, and their limits.',
    'alarm-links': 'Links in messages, by which alarms are acknowledged without a login.',
    'alarm-channels': 'Where alarms are sent, besides the mails that users choose.',
    'alarm-policy': 'When alarms are told, repeated and held back.',
    'alarm-test': 'An alarm to try all channels.',
    outbox: 'Mails and webhooks that are waiting or failed.',
    webhooks: 'Addresses that are called when something happens.',
    'webhook-secret': 'The secret that signs webhooks.',
    plugins: 'Plugins and their settings.',
    'plugin-data': 'Values that plugins store.',
    backups: 'Backups of the whole site.',
    updates: 'Versions of the program on this machine.',
    dashboard: 'Counts for administrators.',
    logs: 'The last lines of the log.',
    bugreport: 'A report for developers, without personal data.',
    schema: 'This document.',
    docs: 'This document to read and try.',
  },
};
