import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { submitForm } from '../../../support/provider.ts'
import { parseAlert } from '../../../support/second-factor.ts'
import { VisitorWithAddress } from '../../../support/visitor.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ TRUST_PROXY: '1', DEMO: '1' }) })
})
afterAll(() => deployment.close())

const openVisitor = () => new VisitorWithAddress(deployment.env.PORTAL_ORIGIN)
const createPageUrl = (path: string) => new URL(path, deployment.env.PROVIDER_ORIGIN)
const submit = async (path: string, fields: Record<string, string>) =>
  (await submitForm(openVisitor(), createPageUrl(path), fields)).text()

test.each(['/account/create', '/account/forgotten'])('%s shows no bubbles of the browser', async (path) => {
  const html = await (await openVisitor().fetch(createPageUrl(path).href)).text()
  expect(html).toMatch(/<form[^>]* novalidate/)
})

test('OPEN-164 a new account shows an error at its field, which has the focus', async () => {
  const email = 'short@example.com'
  const short = await submit('/account/create', { email, password: 'short', path: '/live' })
  expect(parseAlert(short)).toBe('Use 10 to 200 characters.')
  expect(short).toMatch(/role="alert"><svg class="icon"[^]*<\/p>\s*<p class="rule"/)
  expect(short).toContain('.field-problem+.rule{display:none}')
  expect(short).toMatch(/id="password"[^>]*aria-describedby="password-problem password-hint"[^>]* autofocus/)
  expect(short).toContain(`value="${email}"`)
  const empty = await submit('/account/create', { email: '', password: '', path: '/live' })
  expect(parseAlert(empty)).toBe('Enter your email.')
  expect(empty).toMatch(/id="email"[^>]* autofocus[^>]*aria-describedby="email-problem"/)
})

test('a password reset shows an error at its field, which has the focus', async () => {
  const html = await submit('/account/forgotten', { email: 'nobody' })
  expect(html).toMatch(/id="email"[^>]* autofocus aria-invalid="true" aria-describedby="email-problem"/)
  expect(html).toContain('id="email-problem" role="alert"')
})
