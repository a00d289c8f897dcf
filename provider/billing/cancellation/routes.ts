import type { Hono } from 'hono'
import {
  cancelSubscription,
  getLeaving,
  pausePlan,
  payOpen,
  reactivate,
  resumePlan,
  servicesExtension,
  useExtension,
  type Leaving,
} from '../../../contract/billing/cancellation.ts'
import { BILLING_PROVIDERS } from '../../../contract/billing/money.ts'
import { notFound } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { serve } from '../../platform/http/serve-call.ts'
import { granted, ledgerOf } from '../ledger/ledger-stub.ts'
import { subscriptionsOf } from '../plans/subscription-rows.ts'
import { clipsWithout, fewerFor } from './affected-clips.ts'
import { offersFor } from './alternative-offers.ts'

/** Mounts the calls by which a plan is left, or kept after all. */
export function leaveRoutes(app: Hono<AppEnv>): void {
  serve(app, getLeaving, ({ env, account: { userId }, input, now }) =>
    leavingOf(env, { userId, now }, input.subscription_id),
  )
  serve(app, cancelSubscription, async ({ env, account, params, input, now }) => {
    mustBeProvider(params)
    return granted(await ledgerOf(env, account.userId).leave(input, now))
  })
  serve(app, reactivate, async ({ env, account, params, input, now }) => {
    mustBeProvider(params)
    return granted(await ledgerOf(env, account.userId).stay(input, now))
  })
  serve(app, pausePlan, async ({ env, account, input, now }) =>
    granted(await ledgerOf(env, account.userId).pause(input, now)),
  )
  serve(app, resumePlan, async ({ env, account, input, now }) =>
    granted(await ledgerOf(env, account.userId).resume(input, now)),
  )
  serve(app, payOpen, async ({ env, account, input, now }) => {
    const { method_id: methodId, ...ask } = input
    return granted(await ledgerOf(env, account.userId).payOpen({ ...ask, methodId }, now))
  })
  serve(app, servicesExtension, async ({ env, account, now }) => ({
    extension: await ledgerOf(env, account.userId).extension(now),
  }))
  serve(app, useExtension, async ({ env, account, input, now }) =>
    granted(await ledgerOf(env, account.userId).extend(input, now)),
  )
}

/** Only names that OPEN-86 lists. */
function mustBeProvider({ billing_provider }: Readonly<Record<string, string>>): void {
  if (!BILLING_PROVIDERS.some((one) => one === billing_provider)) throw notFound()
}

async function leavingOf(env: Env, asking: { userId: string; now: number }, subscriptionId: string): Promise<Leaving> {
  const { userId, now } = asking
  const { ways, revision, bills } = granted(await ledgerOf(env, userId).leaving(subscriptionId, now))
  const [clips, fewer, subscriptions] = await Promise.all([
    clipsWithout(env, asking, subscriptionId),
    fewerFor(env, asking, subscriptionId),
    subscriptionsOf(env.DB, userId, now),
  ])
  const own = subscriptions.find((one) => one.subscription_id === subscriptionId)
  if (!own) throw notFound()
  return {
    ...{ subscription_id: subscriptionId, revision, ways: ways.map((way) => ({ ...way, lines: [...way.lines] })) },
    clips: { ...clips, bills },
    offers: offersFor(own, fewer),
  }
}
