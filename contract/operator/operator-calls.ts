import * as v from 'valibot'
import { id, text } from '../wire/envelope.ts'

/** Operator calls of the provider (`npm start`, `npm run account`): `Authorization: Admin <ADMIN_KEY>`. */
export const ADMIN_PATHS = {
  /** POST: creates the demo accounts, homes and subscriptions that are missing. Refused unless `DEMO` is "1". */
  seed: '/admin/v1/seed',
  /** PUT `/admin/v1/bridges/{bridge id}`: enrols a bridge, or changes what it serves. */
  bridges: '/admin/v1/bridges',
  /** GET: the code that the first-run page asks for; null once there is an account. */
  setup: '/admin/v1/setup',
  /**
   * GET lists, POST adds; PUT (password) and DELETE at `/admin/v1/accounts/{e-mail}`; DELETE `…/{e-mail}/second-factor` takes
   * that and the passkeys away.
   */
  accounts: '/admin/v1/accounts',
  /** POST `/admin/v1/retention/{home id}`: takes one step of its retention now, which else comes within the hour; data `{ more }`. */
  retention: '/admin/v1/retention',
  /** GET: reported errors (contract/telemetry/telemetry-calls.ts). */
  errors: '/admin/v1/errors',
  /** GET `?days=N`: what the pages told of themselves today and on the N - 1 days before (contract/telemetry/insights-report.ts). */
  insights: '/admin/v1/insights',
  /** GET: the same of today, a minute old at most, for a dashboard that reads Prometheus' text. */
  metrics: '/metrics',
  /** GET: sessions of the device collector of the last 24 hours (contract/telemetry/device-collector.ts). */
  collector: '/admin/v1/collector',
  /**
   * GET: the books beside the gateway and the projection, page by page (contract/operator/reconciliation.ts); POST `…/rebuild` writes the projection of
   * every account anew, POST `…/open` makes the books of all accounts that have none.
   */
  books: '/admin/v1/books',
  /**
   * POST moves the clock of the books of all demo accounts ahead; GET tells what it shows. Refused unless portal and provider are
   * reached at this machine only.
   */
  clock: '/admin/v1/clock',
  /** GET `/admin/v1/activity/{e-mail}`: what the account is shown as its activity, page by page (contract/account/activity.ts). */
  activity: '/admin/v1/activity',
  /** POST `…/take`: mails that wait; POST `…/done`: what became of them (contract/account/email-delivery.ts). */
  mails: '/admin/v1/mails',
} as const

/** Three years at a time at most; it never goes back. */
export const moveClock = v.object({
  by_ms: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3 * 366 * 86_400_000)),
})
/** `ahead`: how far the clock stands ahead, ms; of the accounts whose books differ the furthest. */
export const clockAnswer = v.object({
  code: v.literal(200),
  data: v.object({ accounts: v.number(), ahead: v.number() }),
})

export const setupAnswer = v.object({ code: v.literal(200), data: v.object({ setup_code: v.nullable(v.string()) }) })

/** `failed`: addresses of demo accounts that could not be completed, while the others were. Earlier providers do not say it. */
export const seedAnswer = v.object({
  code: v.literal(200),
  data: v.optional(v.object({ failed: v.array(v.string()) }), { failed: [] }),
})

/** At least ten characters, whatever they are. */
export const newPassword = v.pipe(v.string(), v.minLength(10), v.maxLength(200))
/** As it is stored: lower case, no white space around it. */
export const accountEmail = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email())

export const postAccount = v.object({
  email: accountEmail,
  password: newPassword,
  /** Name of the home that is made for it, or the id of one that is there already. */
  home: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))),
})
export const putAccount = v.object({ password: newPassword })

export const accountList = v.object({
  code: v.literal(200),
  data: v.object({
    accounts: v.array(
      v.object({
        user_id: id,
        email: v.string(),
        /** ms UTC */
        created_at: v.number(),
        /** ms UTC; null: has not signed in yet. */
        last_sign_in_at: v.nullable(v.number()),
        /** The account is on the list of people who wait for the plan of tier T3. */
        t3_list: v.optional(v.boolean(), false),
        homes: v.array(v.object({ home_id: id, name: v.string(), role: v.number() })),
      }),
    ),
  }),
})

export const putBridge = v.object({
  /** Lower-case hex SHA-256 of the bridge's key. */
  key_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  name: text(120),
  /** Enrolled on the machine that the provider runs on, for every home there that has none (contract/cameras/camera-setup.ts). */
  machine: v.optional(v.boolean()),
  /** Left out: the homes that it serves already, or else the oldest one there is. */
  homes: v.optional(v.pipe(v.array(id), v.minLength(1), v.maxLength(50))),
})

/** Password of all demo accounts (contract/operator/demo-accounts.ts). */
export const DEMO_PASSWORD = 'porchlight'
export const DEMO_HOMES = { owner: 'home_owner', free: 'home_free' } as const
