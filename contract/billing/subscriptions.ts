import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, ms, nothing, text } from '../wire/envelope.ts'
import { cents, CHANNELS, period } from './money.ts'
import { SKUS } from './skus.ts'

const maybe = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema), null)

export const subscription = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  /** `trial`: free days that end by themselves. */
  status: v.picklist(['active', 'cancelled', 'past_due', 'trial']),
  quantity: v.number(),
  period,
  billing_provider: text(20),
  /** ms UTC */
  renews_at: v.number(),
  /** Whether it gives anything now: it does until the end of what is paid (OPEN-145). */
  running: v.optional(v.boolean(), true),
  channel: v.optional(v.picklist(CHANNELS), 'web'),
  /** Goes up with each change; an update names the one that it changes. */
  revision: v.optional(v.number(), 0),
  /** When it began, ms UTC. */
  since: v.optional(ms, 0),
  /** What it becomes at `renews_at`; null: what it is. */
  scheduled: maybe(v.object({ sku: v.picklist(SKUS), period, quantity: v.number() })),
  /** The next charge with tax, before any balance; null: there is none. */
  next: maybe(v.object({ at: ms, total: cents })),
  /** While it is paused it gives nothing and costs nothing; ms UTC. */
  paused_until: maybe(ms),
  /** Of a cancelled one: when that was asked for, and what comes back at its end, cents above 0. */
  leaving: maybe(v.object({ at: ms, to_method: cents, to_balance: cents })),
  /** Of a failed charge: what is open with tax, since when, how often it was tried, and why the last try failed. */
  open: maybe(
    v.object({
      total: cents,
      due_at: ms,
      tries: v.number(),
      /** The next tries, the last one is when it ends. */
      next_tries: v.array(ms),
      code: text(20),
      method: v.nullable(v.object({ brand: text(20), last_four: text(4), name: text(120) })),
    }),
  ),
  /** How far the clock of its money stands ahead, ms (`npm run clock`): its dates are by that clock. */
  clock: v.optional(v.number(), 0),
})
export type Subscription = v.InferOutput<typeof subscription>

/** A read of the user's subscriptions (OPEN-92); `uuid` must be the signed-in user's own (OPEN-85). */
export const getSubscriptions = call('CALL-08', 'POST', '/api/v2/subscriptions/{uuid}', 'web-backend', {
  request: nothing,
  response: envelope(200, v.object({ subscriptions: v.array(subscription) })),
})
