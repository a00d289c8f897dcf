import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import { finishSignIn, submitPassword } from '../../../support/second-factor.ts'
import { VisitorWithAddress } from '../../../support/visitor.ts'

const PASSWORD = 'correct horse'
let deployment: TestDeployment
let db: Env['DB']
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ TRUST_PROXY: '1' }) })
  db = ((await deployment.provider.getWorker().getEnv()) as Env).DB
})
afterAll(() => deployment.close())

async function signIn(email: string, person: VisitorWithAddress): Promise<void> {
  const signInPage = await submitPassword(person, deployment.env, email, PASSWORD)
  const nextUrl = signInPage.answer.headers.get('location')
  if (nextUrl !== null) await finishSignIn(deployment.env, signInPage, nextUrl)
}
const listNotifications = async (email: string) =>
  (
    await db
      .prepare(
        "SELECT title, text FROM messages JOIN accounts USING (user_id) WHERE email = ? AND kind = 'new_sign_in' ORDER BY at",
      )
      .bind(email)
      .all<{ title: string; text: string }>()
  ).results

test('an unknown browser is reported once a day, by type and network; a known or first browser never is', async () => {
  const email = 'watchful@example.com'
  await addQuickAccount(db, email, PASSWORD)
  const usual = new VisitorWithAddress(deployment.env.PORTAL_ORIGIN, '203.0.113.7')
  await signIn(email, usual)
  await db.prepare('UPDATE accounts SET last_sign_in_at = 1 WHERE email = ?').bind(email).run()
  usual.setCookie('sso', '', deployment.env.PROVIDER_ORIGIN)
  await signIn(email, usual)
  await signIn(email, new VisitorWithAddress(deployment.env.PORTAL_ORIGIN, '198.51.100.9'))
  await expect.poll(() => listNotifications(email)).toHaveLength(1)
  await signIn(email, new VisitorWithAddress(deployment.env.PORTAL_ORIGIN, '198.51.100.10'))
  await signIn(email, new VisitorWithAddress(deployment.env.PORTAL_ORIGIN, '192.0.2.9'))
  await expect.poll(() => listNotifications(email)).toHaveLength(2)
  const [first] = await listNotifications(email)
  expect(first?.title).toBe('New login: Unknown browser')
  expect(first?.text).toMatch(/from a new browser: Unknown browser, from 198\.51\.100\.x\.$/)
  expect(JSON.stringify(await listNotifications(email))).not.toMatch(/198\.51\.100\.\d/)
})

test('a wrong password does not count as a sign-in', async () => {
  const email = 'guessed@example.com'
  await addQuickAccount(db, email, PASSWORD)
  await db.prepare('UPDATE accounts SET last_sign_in_at = 1 WHERE email = ?').bind(email).run()
  await submitPassword(new VisitorWithAddress(deployment.env.PORTAL_ORIGIN), deployment.env, email, 'wrong password')
  await signIn(email, new VisitorWithAddress(deployment.env.PORTAL_ORIGIN, '192.0.2.77'))
  await expect.poll(() => listNotifications(email)).toHaveLength(1)
})
