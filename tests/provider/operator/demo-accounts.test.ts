import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { getNotifications } from '../../../contract/account/notifications.ts'
import { userMe } from '../../../contract/auth/user-calls.ts'
import { DEMO_ACCOUNTS, DEMO_PLAN_STATE_ACCOUNTS } from '../../../contract/operator/demo-accounts.ts'
import { DEMO_COUPONS } from '../../../contract/operator/demo-coupons.ts'
import { getSubscriptions, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { validateCoupon } from '../../../contract/billing/coupons.ts'
import type { Env } from '../../../provider/env.ts'
import { findDamagedFiles } from '../../../scripts/lib/damaged-files.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { startFlow, resolveRedirects, sendCallAsEdge, signInAtProvider } from '../../support/provider.ts'
import { Visitor } from '../../support/visitor.ts'

let deployment: TestDeployment
let env: Env
beforeAll(async () => {
  deployment = await openTestDeployment()
  await deployment.seed()
  env = (await deployment.provider.getWorker().getEnv()) as Env
})
afterAll(() => deployment.close())

async function signInAs(email: string) {
  const { access_token: token } = await signInAtProvider(deployment.env, email)
  const { user_id } = (await (await sendCallAsEdge(deployment.env, userMe, token)).json()) as { user_id: string }
  return { token, user_id }
}

async function listSubscriptions({ token, user_id }: { token: string; user_id: string }): Promise<Subscription[]> {
  const answer = await sendCallAsEdge(deployment.env, getSubscriptions, token, {
    params: { uuid: user_id },
    payload: { user_id },
  })
  return ((await answer.json()) as { data: { subscriptions: Subscription[] } }).data.subscriptions
}

test('the sign-in page offers three demo accounts, and the others behind a click', async () => {
  const { answer } = await resolveRedirects(
    new Visitor(deployment.env.PORTAL_ORIGIN),
    deployment.env,
    startFlow(deployment.env).url,
  )
  const html = (await answer?.text()) ?? ''
  const [open = '', behind = ''] = html.split('<details>')
  const listOfferedEmails = (part: string) =>
    [...part.matchAll(/name="email" value="([^"]+@example\.com)"/g)].map(([, at]) => at)
  expect(listOfferedEmails(open)).toEqual(DEMO_ACCOUNTS.map(({ email }) => email))
  expect(listOfferedEmails(behind)).toEqual(DEMO_PLAN_STATE_ACCOUNTS.map(({ email }) => email))
})

describe('a demo account', () => {
  test.each([
    ['owner', { sku: 'unlimited', status: 'active', period: 'annual', channel: 'web' }, ['4242 good']],
    ['trial', { sku: 'cam-ai', status: 'trial', channel: 'web' }, []],
    ['amazon', { sku: 'cam-ai', status: 'active', channel: 'amazon' }, []],
    ['bonus', { sku: 'cam-ai', status: 'trial', channel: 'bonus' }, []],
    ['cancelled', { sku: 'unlimited', status: 'cancelled', channel: 'web', next: null }, ['4242 good']],
    ['failed', { sku: 'unlimited', status: 'past_due', channel: 'web' }, ['4221 good']],
    ['expiring', { sku: 'cam-ai', status: 'active', quantity: 3, channel: 'web' }, ['4242 ending']],
    ['hms', { sku: 'hms', status: 'active', channel: 'web' }, ['4242 good']],
  ] as const)('%s@ has its plan and card, and keeps them when seeded again', async (name, plan, cards) => {
    const account = await signInAs(`${name}@example.com`)
    const before = await listSubscriptions(account)
    expect(before).toMatchObject([{ ...plan, running: true }])
    await deployment.seed()
    expect(await listSubscriptions(account)).toEqual(before)
    const { methods } = await env.LEDGERS.getByName(account.user_id).getPaymentOverview(Date.now())
    expect(methods.map(({ last_four, state }) => `${last_four} ${state}`)).toEqual(cards)
  })

  test.each([
    ['trial', 'CREDIT20', 4105],
    ['trial', 'WELCOME20', 200],
    ['amazon', 'FREE3', 4106],
    ['owner', 'BONUST1', 4102],
    ['bonus', 'BONUST1', 200],
    ['free', 'FREE3', 200],
  ])('%s@ checks coupon %s and gets %s', async (name, code, expected) => {
    const { token, user_id } = await signInAs(`${name}@example.com`)
    const answer = await sendCallAsEdge(deployment.env, validateCoupon, token, { payload: { code, user_id } })
    expect(((await answer.json()) as { code: number }).code).toBe(expected)
  })

  test('with a declined charge has a notification of it, once', async () => {
    const { token } = await signInAs('failed@example.com')
    await deployment.seed()
    const answer = await sendCallAsEdge(deployment.env, getNotifications, token)
    const { data } = (await answer.json()) as { data: { messages: { kind: string; action: unknown }[] } }
    const failures = data.messages.filter(({ kind }) => kind === 'charge_failed')
    expect(failures).toMatchObject([{ action: { label: 'Pay now' } }])
  })

  test('has each coupon once, however often it is seeded', async () => {
    const { results } = await env.DB.prepare('SELECT code FROM coupons').all<{ code: string }>()
    expect(results.map(({ code }) => code).toSorted()).toEqual(DEMO_COUPONS.map(({ code }) => code).toSorted())
  })
})

test('a demo account with an unreadable ledger is reported with its file, and later accounts are completed', async () => {
  const { user_id } = await signInAs('trial@example.com')
  expect(findDamagedFiles(deployment.provider.stateFolder)).toEqual([])
  const ledger = `do/porchlight-provider-Ledger/${env.LEDGERS.idFromName(user_id).toString()}.sqlite`
  await deployment.provider.stop()
  writeFileSync(join(deployment.provider.stateFolder, ledger), 'damaged '.repeat(1024))
  rmSync(join(deployment.provider.stateFolder, `${ledger}-wal`), { force: true })
  await deployment.provider.restart({ ...deployment.env })
  env = (await deployment.provider.getWorker().getEnv()) as Env
  await env.DB.prepare("UPDATE accounts SET email = 'other@example.com' WHERE email = 'bonus@example.com'").run()

  const headers = { authorization: `Admin ${deployment.env.ADMIN_KEY}` }
  const answer = await fetch(deployment.provider.origin + ADMIN_PATHS.seed, { method: 'POST', headers })
  expect(await answer.json()).toEqual({ code: 200, data: { failed: ['trial@example.com'] } })
  expect(findDamagedFiles(deployment.provider.stateFolder)).toEqual([join(deployment.provider.stateFolder, ledger)])
  expect(await listSubscriptions(await signInAs('bonus@example.com'))).toMatchObject([
    { sku: 'cam-ai', channel: 'bonus' },
  ])
})
