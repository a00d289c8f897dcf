import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { startFlow, resolveRedirects } from '../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { Visitor } from '../../support/visitor.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ DEMO: '0' }) })
})
afterAll(() => deployment.close())

test('demo accounts are neither created nor shown when DEMO is 0', async () => {
  const answer = await fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.seed}`, {
    method: 'POST',
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
  })
  expect(answer.status).toBe(403)
  const added = await fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}`, {
    method: 'POST',
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
    body: JSON.stringify({ email: 'somebody@example.com', password: 'correct horse' }),
  })
  expect(added.status).toBe(200)
  const page = await resolveRedirects(
    new Visitor(deployment.env.PORTAL_ORIGIN),
    deployment.env,
    startFlow(deployment.env).url,
  )
  const html = await page.answer?.text()
  expect(html).toContain('<h1>Log in</h1>')
  expect(html).not.toContain('Demo accounts')
  expect(html).not.toContain('porchlight</code>')
})
