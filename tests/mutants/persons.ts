import { createMutants, type Mutant } from './mutant.ts'

const person = 'tests/stores/services/analytics-privacy.test.ts'
const capture = 'tests/stores/services/analytics-capture.test.ts'
const measured = 'tests/stores/storage/analytics-storage.test.ts'
const box = 'tests/unit/contract/bridge/sealed-channel.test.ts'
const cookies = 'tests/unit/functions/auth/encrypted-cookies.test.ts'
const record = 'tests/unit/functions/auth/session-record.test.ts'

const ANALYTICS: readonly Mutant[] = [
  ...createMutants(
    'src/services/analytics.ts',
    ['tests/stores/services/analytics.test.ts', person],
    [
      [
        'A1',
        'a clock that was ahead makes the hour endless',
        'Math.min(this.#ports.readDue() ?? Infinity, now + TEST_TRACKING_MS)',
        'this.#ports.readDue() ?? now + TEST_TRACKING_MS',
      ],
      [
        'A2',
        'a browser that remembers nothing is measured for ever',
        'if (!this.#ports.writeDue(due)) return this.stop()',
        'this.#ports.writeDue(due)',
      ],
      [
        'A3',
        'a sink that is dead is asked again',
        'events.length > 0 && !this.#isSinkDead && ',
        'events.length > 0 && ',
      ],
      ['A4', 'ids in an address decide who is measured', '...{ ...browser, optOut: false },', '...{ optOut: false },'],
    ],
  ),
  ...createMutants(
    'src/stores/storage/analytics-opt-out.ts',
    [person, measured, 'tests/stores/boot/telemetry/page-analytics.test.ts'],
    [
      ['A5', 'Do Not Track is not heard', "asks.doNotTrack === '1' || ", ''],
      ['A6', 'Global Privacy Control is not heard', ' || asks.globalPrivacyControl === true', ''],
      ['A7', 'what waits is sent after measuring was switched off', '  deleteAnalyticsData()\n  local', '  local'],
      ['A8', 'a price changes under the eyes of a visitor', 'documentVariant ??= {', 'documentVariant = {'],
      ['A9', 'the variant of an account is that of its browser', 'userId === null ? MEASURE_KEYS.variant : ', ''],
    ],
  ),
  ...createMutants(
    'src/stores/storage/sent-analytics-events.ts',
    [person, measured],
    [
      [
        'A10',
        'what waits of one person is sent as another',
        'if (!waiting.every(belongsToUser(userId)))',
        'if (!waiting)',
      ],
      ['A11', 'a new person has the browser number of the last', '(stored.userId ?? userId) !== userId', '!stored'],
    ],
  ),
  ...createMutants(
    'src/services/analytics-rules.ts',
    [capture, person],
    [
      ['A12', 'events leave that nobody listed', 'if (!MEASURED_TYPES.includes(event_type)) return null', ''],
      [
        'A13',
        'the address of a call leaves',
        "['target', endpointGroup(address)] as const",
        "['target', address] as const",
      ],
    ],
  ),
  ...createMutants(
    'src/services/experiments.ts',
    ['tests/stores/services/experiments.test.ts'],
    [
      [
        'A14',
        'a variant that was kept for somebody else is shown',
        'if (!this.#ports.isSamePerson(personKey(person))) this.#client.clear()',
        '',
      ],
      [
        'A15',
        'the experiment learns of more than ids',
        'if (headers.has(PERSON)) headers.set',
        'if (!headers) headers.set',
      ],
    ],
  ),
  ...createMutants(
    'src/services/visit-report.ts',
    ['tests/unit/services/visit-report.test.ts'],
    [
      ['A16', 'a document reports a visit twice', "if (isStarted || token === ''", "if (token === ''"],
      ['A17', 'one person is two by the case of an address', '.trim().toLowerCase()', '.trim()'],
    ],
  ),
  ...createMutants(
    'functions/lib/telemetry/filter-analytics-events.ts',
    ['tests/edge/routes/analytics.test.ts'],
    [
      [
        'A18',
        'a clock that is ahead keeps events longer',
        'Math.floor(Math.min(event.time, now))',
        'Math.floor(event.time)',
      ],
      ['A19', 'an event may name any account', 'event.user_id === user && USER.test(user)', 'USER.test(user)'],
    ],
  ),
]

const SEALED: readonly Mutant[] = [
  ...createMutants(
    'contract/bridge/sealed-channel.ts',
    [box],
    [
      ['X1', 'an answer may come twice', '      received++\n', ''],
      ['X2', 'a box opens for another home', 'bridgeKey, pageKey, context]', 'bridgeKey, pageKey]'],
      ['X3', 'a page opens its own box', '[PURPOSE, direction, bridgeKey', '[PURPOSE, bridgeKey'],
      ['X4', 'the nonce of a bridge counts for nothing', 'salt: decodeBytes(nonce)', 'salt: new Uint8Array(0)'],
    ],
  ),
  ...createMutants(
    'src/stores/add-camera/sealed-requests.ts',
    ['tests/stores/add-camera/camera-setup.test.ts'],
    [['X5', 'a box that answers in seven portions is given up', 'if (boxes.length > 0) silent = -1', '']],
  ),
  ...createMutants(
    'src/stores/add-camera/sealing-key.ts',
    ['tests/stores/islands/live/add-camera/hub-setup.test.tsx'],
    [
      [
        'X6',
        'a box with another fingerprint is sent passwords',
        'knownFingerprints.length === 0 || knownFingerprints.includes(fingerprint)',
        'true',
      ],
    ],
  ),
  ...createMutants(
    'functions/lib/security/encrypt-value.ts',
    [cookies],
    [
      [
        'X7',
        'a cookie of before the key rotation is lost',
        'for (const cookieKey of cookieKeys)',
        'for (const cookieKey of cookieKeys.slice(0, 1))',
      ],
    ],
  ),
  ...createMutants(
    'functions/lib/auth/pending-authorizations.ts',
    [cookies],
    [
      [
        'X8',
        'a sign-in may be completed a day later',
        'now - authorization.at < TRANSACTION_MS',
        'now - authorization.at < 144 * TRANSACTION_MS',
      ],
      ['X9', 'a pending sign-in opens under the name of another', ' && transactionCookie(parsed.output) === name', ''],
    ],
  ),
]

const SESSIONS: readonly Mutant[] = [
  ...createMutants(
    'functions/lib/auth/session-record.ts',
    [record],
    [
      ['H1', 'a session lives a moment longer', 'now >= nextEnd(record, rules)', 'now > nextEnd(record, rules)'],
      [
        'H2',
        'a session outlives a token that nothing renews',
        'isRenewable(tokens, rules) ? lasts : ',
        'lasts ? lasts : ',
      ],
      ['H3', 'an account of another issuer is signed in', ' || !isSameIssuer(record.issuer, rules.OIDC_ISSUER)', ''],
      [
        'H4',
        'a session that is used lives for ever',
        'Math.min(record.usedAt + rules.sessionIdleMs, endsAt(record, rules))',
        'record.usedAt + rules.sessionIdleMs',
      ],
      ['H5', 'an old record of a foreign issuer is believed', 'rules.embedded && isSameIssuer', 'isSameIssuer'],
      ['H6', 'an old record has ended', 'stored.startedAt ?? now', 'stored.startedAt ?? 0'],
    ],
  ),
  ...createMutants(
    'functions/session.ts',
    ['tests/edge/auth/session-end.test.ts'],
    [['H7', 'a short session that is used ends', 'Math.min(settings.sessionIdleMs / 30, USE_MS)', 'USE_MS']],
  ),
]

export const PERSONS: readonly Mutant[] = [...ANALYTICS, ...SEALED, ...SESSIONS]
