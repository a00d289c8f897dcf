import * as v from 'valibot'
import { id, text } from '../wire/envelope.ts'
import { DAY_MS } from '../time-units.ts'

/** Operator calls of the provider (`npm start`, `npm run account`): `Authorization: Admin <ADMIN_KEY>`. */
export const ADMIN_PATHS = {
  /**
   * POST: creates missing demo accounts with their homes, plans and cards, and missing demo coupons. Rejected unless
   * `DEMO` is "1".
   */
  seed: '/admin/v1/seed',
  /** PUT `/admin/v1/bridges/{bridge id}`: enrolls a bridge, or updates the bridge's key, name and homes. */
  bridges: '/admin/v1/bridges',
  /** GET: setup code that creates the first account; null if an account exists or `DEMO` is "1". */
  setup: '/admin/v1/setup',
  /**
   * GET lists the accounts, and POST adds an account. At `/admin/v1/accounts/{email}`, PUT sets the password and
   * DELETE deletes the account. DELETE `…/{email}/second-factor` removes the second factor and the passkeys. POST
   * `…/{email}/invitation` creates a link with which this address can create an account.
   */
  accounts: '/admin/v1/accounts',
  /**
   * POST `/admin/v1/retention/{home id}`: runs one retention step of the home immediately, instead of at its next alarm.
   * `more` in the response: true if another step is due.
   */
  retention: '/admin/v1/retention',
  /** GET: reported errors (contract/telemetry/telemetry-calls.ts). */
  errors: '/admin/v1/errors',
  /** GET `?days=N`: analytics of today and the N - 1 days before (contract/telemetry/insights-report.ts). */
  insights: '/admin/v1/insights',
  /** GET: the analytics of today, at most one minute old, in Prometheus text format for dashboards. */
  metrics: '/metrics',
  /** GET: sessions of the device collector of the last 24 hours (contract/telemetry/device-collector.ts). */
  collector: '/admin/v1/collector',
  /**
   * GET: compares ledgers, payment gateway and projection, one page of accounts at a time
   * (contract/operator/reconciliation.ts). POST `…/rebuild` rewrites the projection of each account; POST `…/open`
   * creates missing ledgers; POST `…/settle` ends the holds of restored ledgers.
   */
  books: '/admin/v1/books',
  /**
   * POST advances the test clocks of all demo accounts; GET returns the offset of the clocks. POST is rejected unless
   * `DEMO` is "1" and portal and provider are reachable only from their own machine.
   */
  clock: '/admin/v1/clock',
  /** GET `/admin/v1/activity/{email}`: the account's activity log, page by page (contract/account/activity.ts). */
  activity: '/admin/v1/activity',
  /**
   * POST `…/take`: claims waiting emails; POST `…/done`: reports their results (contract/account/email-delivery.ts).
   */
  mails: '/admin/v1/mails',
} as const

/** Advances the test clock by at most three years per call. The clock never moves back. */
export const moveClockRequest = v.object({
  by_ms: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3 * 366 * DAY_MS)),
})
/** `ahead`: offset of the test clock, ms; the largest offset if accounts differ. */
export const clockResponse = v.object({
  code: v.literal(200),
  data: v.object({ accounts: v.number(), ahead: v.number() }),
})

export const setupResponse = v.object({ code: v.literal(200), data: v.object({ setup_code: v.nullable(v.string()) }) })

/**
 * `failed`: email addresses of demo accounts that this call could not fully create. Responses of earlier providers have
 * no `data`.
 */
export const seedResponse = v.object({
  code: v.literal(200),
  data: v.optional(v.object({ failed: v.array(v.string()) }), { failed: [] }),
})

/**
 * Password of 10 to 200 characters; any characters are allowed. Further rules:
 * provider/identity/password/password-rules.ts.
 */
export const newPassword = v.pipe(v.string(), v.minLength(10), v.maxLength(200))
/** Email address of an account, in its stored form: trimmed and in lower case. */
export const accountEmail = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email())

export const createAccountRequest = v.object({
  email: accountEmail,
  password: newPassword,
  /** Name of the home to create for the account, or id of an existing home. */
  home: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))),
})
export const setPasswordRequest = v.object({ password: newPassword })

/** Link of an invitation, and its expiry in ms UTC. */
export const invitationResponse = v.object({
  code: v.literal(200),
  data: v.object({ url: v.string(), expires_at: v.number() }),
})

export const accountList = v.object({
  code: v.literal(200),
  data: v.object({
    accounts: v.array(
      v.object({
        user_id: id,
        email: v.string(),
        /** Creation of the account, ms UTC. */
        created_at: v.number(),
        /** ms UTC; null: never signed in. */
        last_sign_in_at: v.nullable(v.number()),
        /** True if the account is on the waiting list for the T3 plan. */
        t3_list: v.optional(v.boolean(), false),
        homes: v.array(v.object({ home_id: id, name: v.string(), role: v.number() })),
      }),
    ),
  }),
})

export const putBridgeRequest = v.object({
  /** Lower-case hex SHA-256 of the bridge's key. */
  key_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  name: text(120),
  /**
   * True if the bridge is enrolled on the provider's machine. In a local deployment, a home without a bridge gets this
   * bridge when its owner adds a camera (contract/cameras/camera-setup.ts).
   */
  machine: v.optional(v.boolean()),
  /**
   * Homes that the bridge serves. Omitted: the bridge keeps its homes; a bridge without homes gets the oldest home of
   * the provider.
   */
  homes: v.optional(v.pipe(v.array(id), v.minLength(1), v.maxLength(50))),
})

export const DEMO_PASSWORD = 'porchlight'
export const DEMO_HOMES = { owner: 'home_owner', free: 'home_free' } as const
