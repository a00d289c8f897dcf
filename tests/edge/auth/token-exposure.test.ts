import { readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../../contract/operator/operator-calls.ts'
import { browserOptions } from '../../../scripts/tools.mjs'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'

let edge: EdgeDeployment
let browser: Browser
let context: BrowserContext
/** Texts that the portal sent to the browser, or that the browser sent or stored, each with its location. */
const exposedTexts: [where: string, text: string][] = []

beforeAll(async () => {
  edge = await openEdge({}, 'with its site')
  browser = await chromium.launch(browserOptions())
  context = await browser.newContext()
  context.on('request', (request) =>
    exposedTexts.push(['address', request.url()], ['body sent', request.postData() ?? '']),
  )
  context.on('console', (message) => exposedTexts.push(['console', message.text()]))
})
afterAll(async () => {
  await browser.close()
  await edge.close()
})

async function usePortal(page: Page): Promise<void> {
  await page.goto(`${edge.portalOrigin}/live`)
  await page.getByLabel('Email').fill('owner@example.com')
  await page.getByLabel('Password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('heading', { name: 'Cameras', level: 1 }).waitFor()
  const subscriptionsResponse = page.waitForResponse((answer) => answer.url().includes('/api/v2/subscriptions'))
  await page.goto(`${edge.portalOrigin}/events`)
  await page.getByRole('heading', { name: 'No cameras yet', level: 1 }).waitFor()
  // Otherwise, a late request of this page could get the 401 below.
  await subscriptionsResponse
  await page.goto('about:blank')
  // The next request for the subscriptions gets a 401, so that the page refreshes its token.
  edge.proxy.fail('/api/v2/subscriptions', { kind: 'answer', status: 401, body: '{"code":401}' }, 1)
  const refreshResponse = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/refresh'))
  await page.goto(`${edge.portalOrigin}/account/services`)
  expect((await refreshResponse).status()).toBe(200)
  await page.getByRole('heading', { name: 'Unlimited Cameras', exact: true }).waitFor()
  const [log] = await Promise.all([page.waitForEvent('download'), page.getByText('Download log').click()])
  exposedTexts.push(['downloaded log', readFileSync(await log.path(), 'utf8')])
}

async function collectStoredTexts(page: Page): Promise<void> {
  const { cookies, origins } = await context.storageState({ indexedDB: true })
  exposedTexts.push(['cookies', JSON.stringify(cookies)], ['storage', JSON.stringify(origins)])
  exposedTexts.push(['session storage', await page.evaluate(() => JSON.stringify({ ...sessionStorage }))])
  exposedTexts.push(['document', await page.content()])
}

/** Returns the secrets that the edge sent to the provider, each with its name. The browser must never get them. */
function collectSecrets(): Map<string, string> {
  const secrets = new Map<string, string>()
  for (const { path, headers, body } of edge.proxy.requests) {
    const isTokenCall = path.startsWith('/oauth/token')
    for (const name of ['access_token', 'authorization', 'token'])
      secrets.set(String(headers[name] ?? '').replace(/^\w+ /, ''), isTokenCall ? 'client secret' : 'access token')
    if (!isTokenCall) continue
    const form = new URLSearchParams(body)
    for (const name of ['refresh_token', 'code_verifier']) secrets.set(form.get(name) ?? '', name)
  }
  secrets.delete('')
  return secrets
}

test('no provider token appears in a URL, a response, the storage, the log or a document', async () => {
  const page = await context.newPage()
  const answers: Promise<void>[] = []
  page.on('response', (answer) => {
    if (!answer.url().startsWith(edge.portalOrigin)) return
    const recordAnswer = async () => {
      exposedTexts.push([`headers of ${answer.url()}`, JSON.stringify(await answer.allHeaders())])
      exposedTexts.push([answer.url(), await answer.text()])
    }
    // Ignore bodies that cannot be read, because no script can read them either: a redirect has no body, and the
    // browser discards the bodies of a page that it has left.
    answers.push(recordAnswer().catch(() => undefined))
  })
  await usePortal(page)
  await collectStoredTexts(page)
  await Promise.all(answers)

  const secrets = collectSecrets()
  expect([...secrets.values()].filter((name) => name === 'access token')).toHaveLength(2)
  expect([...secrets.values()]).toEqual(expect.arrayContaining(['client secret', 'code_verifier', 'refresh_token']))
  expect([...secrets.keys()].filter((token) => token.length < 16)).toEqual([])
  const leaks = [...secrets].flatMap(([token, name]) =>
    exposedTexts.filter(([, text]) => text.includes(token)).map(([where]) => `${name} in ${where}`),
  )
  expect(leaks).toEqual([])
  // Verifies the search for tokens: it must find the token handle, which scripts may read, in responses and in storage.
  const generation = await page.evaluate(() => localStorage.getItem('web_app_token') ?? '')
  const places = exposedTexts.filter(([, text]) => text.includes(generation)).map(([where]) => where)
  expect(places).toEqual(expect.arrayContaining([`${edge.portalOrigin}/api/auth/refresh`, 'storage']))
})
