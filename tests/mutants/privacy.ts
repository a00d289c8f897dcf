import { createMutants, type Mutant } from './mutant.ts'

const privacyTests = 'tests/stores/services/analytics-privacy.test.ts'
const captureTests = 'tests/stores/services/analytics-capture.test.ts'
const storageTests = 'tests/stores/storage/analytics-storage.test.ts'
const sealedChannelTests = 'tests/unit/contract/bridge/sealed-channel.test.ts'
const cookieTests = 'tests/unit/functions/auth/encrypted-cookies.test.ts'
const sessionRecordTests = 'tests/unit/functions/auth/session-record.test.ts'

const ANALYTICS_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'src/services/analytics.ts',
    ['tests/stores/services/analytics.test.ts', privacyTests],
    [
      [
        'A1',
        'a clock that was ahead extends the measured hour without limit',
        'Math.min(this.#ports.readDue() ?? Infinity, now + TEST_TRACKING_MS)',
        'this.#ports.readDue() ?? now + TEST_TRACKING_MS',
      ],
      [
        'A2',
        'a browser without storage is measured without limit',
        'if (this.#ports.testTracking && !this.#scheduleOptOut()) return this.stop()',
        'if (this.#ports.testTracking) this.#scheduleOptOut()',
      ],
    ],
  ),
  ...createMutants(
    'src/services/event-sender.ts',
    ['tests/stores/services/event-sender.test.ts', privacyTests],
    [
      [
        'A3',
        'a failed sink gets requests without end',
        'if (this.#retries < RETRIES_MAX) ',
        'if (this.#retries < Infinity) ',
      ],
    ],
  ),
  ...createMutants(
    'src/services/amplitude-events.ts',
    [privacyTests],
    [
      [
        'A4',
        'IDs in a URL override the opt-out',
        '    deviceId,\n    sessionId,\n    optOut: false,',
        '    optOut: false,',
      ],
    ],
  ),
  ...createMutants(
    'src/stores/storage/analytics-opt-out.ts',
    [privacyTests, storageTests, 'tests/stores/boot/telemetry/page-analytics.test.ts'],
    [
      ['A5', 'Do Not Track is ignored', "privacySignals.doNotTrack === '1' || ", ''],
      ['A6', 'Global Privacy Control is ignored', ' || privacySignals.globalPrivacyControl === true', ''],
      [
        'A7',
        'queued events are sent after an opt-out',
        '  deleteAnalyticsData()\n  safeLocalStorage',
        '  safeLocalStorage',
      ],
      ['A8', 'the price variant changes while a page is open', 'documentVariant ??= {', 'documentVariant = {'],
      ['A9', 'an account gets the variant of its browser', 'userId === null ? ANALYTICS_KEYS.variant : ', ''],
    ],
  ),
  ...createMutants(
    'src/stores/storage/sent-analytics-events.ts',
    [privacyTests, storageTests],
    [
      [
        'A10',
        'queued events of one account are sent as another account',
        'if (!readUnsentEvents().every(createUserFilter(userId)))',
        'if (!readUnsentEvents())',
      ],
      [
        'A11',
        'a new account gets the browser ID of the previous account',
        '(stored.userId ?? userId) !== userId',
        '!stored',
      ],
    ],
  ),
  ...createMutants(
    'src/services/analytics-rules.ts',
    [captureTests, privacyTests],
    [
      ['A12', 'unlisted events are sent', 'if (!STORED_EVENT_TYPES.includes(event_type)) return null', ''],
      ['A13', 'the URL of a call is sent', "['target', getEndpointGroup(url)] as const", "['target', url] as const"],
    ],
  ),
  ...createMutants(
    'src/services/experiments.ts',
    ['tests/stores/services/experiments.test.ts'],
    [
      [
        'A14',
        'a variant stored for another account is shown',
        'isSamePerson(getPersonKey(person)) ? readVariant() : null',
        'isSamePerson(getPersonKey(person)) || readVariant() ? readVariant() : null',
      ],
    ],
  ),
  ...createMutants(
    'src/services/amplitude-experiments.ts',
    ['tests/stores/services/experiments.test.ts'],
    [
      [
        'A15',
        'the experiment service receives more than IDs',
        'if (headers.has(PERSON_HEADER)) headers.set',
        'if (!headers) headers.set',
      ],
    ],
  ),
  ...createMutants(
    'src/services/visit-report.ts',
    ['tests/unit/services/visit-report.test.ts'],
    [
      ['A16', 'a document reports a visit twice', "if (isReported || token === ''", "if (token === ''"],
      ['A17', 'two spellings of an email address count as two people', '.trim().toLowerCase()', '.trim()'],
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
      [
        'A19',
        'an event may name any account',
        'event.user_id === user && ACCOUNT_ID_FORMAT.test(user)',
        'ACCOUNT_ID_FORMAT.test(user)',
      ],
    ],
  ),
]

const ENCRYPTION_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'contract/bridge/sealed-channel.ts',
    [sealedChannelTests],
    [
      ['X1', 'a response can be replayed', '      receivedCount++\n', ''],
      ['X2', 'a sealed message opens for another home', 'bridgeKey, pageKey, context]', 'bridgeKey, pageKey]'],
      ['X3', 'a page opens its own sealed message', '[KEY_PURPOSE, direction, bridgeKey', '[KEY_PURPOSE, bridgeKey'],
      ['X4', 'the bridge’s nonce has no effect', 'salt: decodeBytes(nonce)', 'salt: new Uint8Array(0)'],
    ],
  ),
  ...createMutants(
    'src/stores/add-camera/sealed-requests.ts',
    ['tests/stores/add-camera/camera-setup.test.ts'],
    [
      [
        'X5',
        'the page gives up on a bridge that responds in seven parts',
        'if (boxes.length > 0) silentReads = -1',
        '',
      ],
    ],
  ),
  ...createMutants(
    'src/stores/add-camera/sealing-key.ts',
    ['tests/stores/islands/live/add-camera/hub-setup.test.tsx'],
    [
      [
        'X6',
        'a bridge with an unknown fingerprint receives passwords',
        'knownFingerprints.length === 0 || knownFingerprints.includes(fingerprint)',
        'true',
      ],
    ],
  ),
  ...createMutants(
    'functions/lib/security/encrypt-value.ts',
    [cookieTests],
    [
      [
        'X7',
        'a cookie from before the key rotation is rejected',
        'for (const cookieKey of cookieKeys)',
        'for (const cookieKey of cookieKeys.slice(0, 1))',
      ],
    ],
  ),
  ...createMutants(
    'functions/lib/auth/pending-authorizations.ts',
    [cookieTests],
    [
      [
        'X8',
        'a sign-in may be completed a day later',
        'now - authorization.at < PENDING_AUTHORIZATION_LIFETIME_MS',
        'now - authorization.at < 144 * PENDING_AUTHORIZATION_LIFETIME_MS',
      ],
      [
        'X9',
        'a pending sign-in opens under the cookie name of another',
        ' && getAuthorizationCookieName(parsed.output, PORTAL_ORIGIN) === name',
        '',
      ],
    ],
  ),
]

const SESSION_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'functions/lib/auth/session-record.ts',
    [sessionRecordTests],
    [
      [
        'H1',
        'a session lives a millisecond too long',
        'now >= getNextEnd(record, rules)',
        'now > getNextEnd(record, rules)',
      ],
      [
        'H2',
        'a session outlives a token that cannot be refreshed',
        'isRenewable(tokens, rules) ? lifetimeEndsAt : ',
        'lifetimeEndsAt ? lifetimeEndsAt : ',
      ],
      ['H3', 'an account of another issuer is signed in', ' || !isSameIssuer(record.issuer, rules.OIDC_ISSUER)', ''],
      [
        'H4',
        'a used session has no absolute lifetime',
        'Math.min(record.usedAt + rules.sessionIdleMs, getAbsoluteEnd(record, rules))',
        'record.usedAt + rules.sessionIdleMs',
      ],
      ['H5', 'an old record of a foreign issuer is accepted', 'rules.embedded && isSameIssuer', 'isSameIssuer'],
      ['H6', 'an old record counts as expired', 'stored.startedAt ?? now', 'stored.startedAt ?? 0'],
    ],
  ),
  ...createMutants(
    'functions/session.ts',
    ['tests/edge/auth/session-end.test.ts'],
    [
      [
        'H7',
        'a used session with a short idle timeout ends',
        'Math.min(settings.sessionIdleMs / 30, USE_WRITE_INTERVAL_MS)',
        'USE_WRITE_INTERVAL_MS',
      ],
    ],
  ),
]

export const PRIVACY_MUTANTS: readonly Mutant[] = [...ANALYTICS_MUTANTS, ...ENCRYPTION_MUTANTS, ...SESSION_MUTANTS]
