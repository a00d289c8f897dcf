import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment()
})
afterAll(() => deployment.close())

test('OPEN-162 the home monitoring page shows the service, its price and a link to its portal page', async () => {
  const answer = await fetch(`${deployment.env.PROVIDER_ORIGIN}/home-monitoring`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  const html = await answer.text()
  for (const text of ['<h1>Home Monitoring</h1>', '$9.99', '$99.99', 'no one monitors your home'])
    expect(html).toContain(text)
  expect(html).toContain(`href="${deployment.env.PORTAL_ORIGIN}/account/products/home-monitoring"`)
  expect(html).not.toMatch(/<(button|form|script)|cannot be ordered/)
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-/)
})

test('the home monitoring page sells nothing if the service is not on sale', async () => {
  await deployment.provider.restart({ ...deployment.env, BILLING_GATEWAY: 'none' })
  const html = await (await fetch(`${deployment.env.PROVIDER_ORIGIN}/home-monitoring`)).text()
  await deployment.provider.restart({ ...deployment.env })
  expect(html).toContain('isn’t available here')
  expect(html).not.toContain('$9.99')
})
