import type { Hono } from 'hono'
import {
  cancelSubscription,
  getCancellationPreview,
  pausePlan,
  payOpenInvoice,
  reactivateSubscription,
  resumePlan,
  getTrialExtensions,
  extendTrial,
  type CancellationPreview,
} from '../../../contract/billing/cancellation.ts'
import { BILLING_PROVIDERS } from '../../../contract/billing/money.ts'
import { readAccountAccess } from '../../homes/members/account-access.ts'
import { notFound } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, getLedgerStub } from '../ledger/ledger-stub.ts'
import { listSubscriptions } from '../plans/subscription-rows.ts'
import { countAffectedClips, countCamerasInUse } from './affected-clips.ts'
import { buildOffers } from './alternative-offers.ts'

export function cancellationRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getCancellationPreview, ({ env, account: { userId }, input, now }) =>
    buildCancellationPreview(env, { userId, now }, input.subscription_id),
  )
  serveCall(app, cancelSubscription, async ({ env, account, params, input, now }) => {
    requireBillingProvider(params)
    return unwrapLedgerResult(await getLedgerStub(env, account.userId).cancelSubscription(input, now))
  })
  serveCall(app, reactivateSubscription, async ({ env, account, params, input, now }) => {
    requireBillingProvider(params)
    return unwrapLedgerResult(await getLedgerStub(env, account.userId).undoCancellation(input, now))
  })
  serveCall(app, pausePlan, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await getLedgerStub(env, account.userId).pause(input, now)),
  )
  serveCall(app, resumePlan, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await getLedgerStub(env, account.userId).resume(input, now)),
  )
  serveCall(app, payOpenInvoice, async ({ env, account, input, now }) => {
    const { method_id: methodId, ...ask } = input
    return unwrapLedgerResult(await getLedgerStub(env, account.userId).payOpenInvoice({ ...ask, methodId }, now))
  })
  serveCall(app, getTrialExtensions, async ({ env, account, now }) => ({
    extension: await getLedgerStub(env, account.userId).getTrialExtension(now),
  }))
  serveCall(app, extendTrial, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await getLedgerStub(env, account.userId).extendTrial(input, now)),
  )
}

/** Throws 404 unless OPEN-86 lists the billing provider. */
function requireBillingProvider({ billing_provider }: Readonly<Record<string, string>>): void {
  if (!BILLING_PROVIDERS.some((provider) => provider === billing_provider)) throw notFound()
}

async function buildCancellationPreview(
  env: Env,
  { userId, now }: { userId: string; now: number },
  subscriptionId: string,
): Promise<CancellationPreview> {
  const { ways, revision, bills } = unwrapLedgerResult(
    await getLedgerStub(env, userId).getCancellationOptions(subscriptionId, now),
  )
  // The ledger may have ended a plan that was due, so the access is read afterwards.
  const requester = { access: await readAccountAccess(env, userId), now }
  const [clips, camerasInUse, subscriptions] = await Promise.all([
    countAffectedClips(env, requester, subscriptionId),
    countCamerasInUse(env, requester, subscriptionId),
    listSubscriptions(env.DB, userId, now),
  ])
  const ownSubscription = subscriptions.find((subscription) => subscription.subscription_id === subscriptionId)
  if (!ownSubscription) throw notFound()
  return {
    subscription_id: subscriptionId,
    revision,
    ways: ways.map((way) => ({ ...way, lines: [...way.lines] })),
    clips: { ...clips, bills },
    offers: buildOffers(ownSubscription, camerasInUse),
  }
}
