import type { Hono } from 'hono'
import {
  cancelSubscription,
  getCancellationPreview,
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
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, ledgerStub } from '../ledger/ledger-stub.ts'
import { listSubscriptions } from '../plans/subscription-rows.ts'
import { clipsWithout, countCamerasInUse } from './affected-clips.ts'
import { offersFor } from './alternative-offers.ts'

export function leaveRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getCancellationPreview, ({ env, account: { userId }, input, now }) =>
    buildCancellationPreview(env, { userId, now }, input.subscription_id),
  )
  serveCall(app, cancelSubscription, async ({ env, account, params, input, now }) => {
    mustBeProvider(params)
    return unwrapLedgerResult(await ledgerStub(env, account.userId).leave(input, now))
  })
  serveCall(app, reactivate, async ({ env, account, params, input, now }) => {
    mustBeProvider(params)
    return unwrapLedgerResult(await ledgerStub(env, account.userId).stay(input, now))
  })
  serveCall(app, pausePlan, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await ledgerStub(env, account.userId).pause(input, now)),
  )
  serveCall(app, resumePlan, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await ledgerStub(env, account.userId).resume(input, now)),
  )
  serveCall(app, payOpen, async ({ env, account, input, now }) => {
    const { method_id: methodId, ...ask } = input
    return unwrapLedgerResult(await ledgerStub(env, account.userId).payOpen({ ...ask, methodId }, now))
  })
  serveCall(app, servicesExtension, async ({ env, account, now }) => ({
    extension: await ledgerStub(env, account.userId).extension(now),
  }))
  serveCall(app, useExtension, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await ledgerStub(env, account.userId).extend(input, now)),
  )
}

/** Throws 404 unless OPEN-86 lists the billing provider. */
function mustBeProvider({ billing_provider }: Readonly<Record<string, string>>): void {
  if (!BILLING_PROVIDERS.some((provider) => provider === billing_provider)) throw notFound()
}

async function buildCancellationPreview(
  env: Env,
  asking: { userId: string; now: number },
  subscriptionId: string,
): Promise<Leaving> {
  const { userId, now } = asking
  const { ways, revision, bills } = unwrapLedgerResult(await ledgerStub(env, userId).leaving(subscriptionId, now))
  const [clips, fewer, subscriptions] = await Promise.all([
    clipsWithout(env, asking, subscriptionId),
    countCamerasInUse(env, asking, subscriptionId),
    listSubscriptions(env.DB, userId, now),
  ])
  const own = subscriptions.find((subscription) => subscription.subscription_id === subscriptionId)
  if (!own) throw notFound()
  return {
    ...{ subscription_id: subscriptionId, revision, ways: ways.map((way) => ({ ...way, lines: [...way.lines] })) },
    clips: { ...clips, bills },
    offers: offersFor(own, fewer),
  }
}
