import type { Page } from 'playwright/test'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { collectorList } from '../../contract/telemetry/device-collector.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { expect, signIn } from './e2e.ts'
import { RESULTS_FOLDER } from './results.ts'

const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
export { PROVIDER_ORIGIN }
export const COLLECTOR_URL_PATTERN = /\/(cs\/\w+|session\/\w+|logo\.htm|fin)(\?|#|$)/

export const CORS_HEADERS = { 'access-control-allow-origin': '*' }

/** Signs in as the demo owner on the open sign-in page and waits for the redirect to the portal. */
export async function signInToPortal(page: Page): Promise<void> {
  await signIn(page, 'owner@example.com')
  await page.waitForURL(({ origin, pathname }) => origin !== PROVIDER_ORIGIN && !pathname.startsWith('/user/'))
  await expect(page.getByRole('main')).toBeVisible()
}

/**
 * Opens a page that redirects a signed-out visitor to the sign-in page. Returns the device session id in the
 * authorization request.
 */
export async function openSignInPage(page: Page, path = '/user/login'): Promise<string> {
  const authorized = page.waitForRequest((request) => new URL(request.url()).searchParams.has('kount_session_id'))
  await page.goto(path)
  const session = new URL((await authorized).url()).searchParams.get('kount_session_id') ?? ''
  await expect(page.getByLabel('Email')).toBeVisible()
  return session
}

/** Starts a device session in a signed-in browser, then opens `path`. Returns the id of the device session. */
export async function openWithDeviceSession(page: Page, path = '/account/billing'): Promise<string> {
  await page.goto('/config.json')
  const session = await startDeviceSession(page)
  await page.goto(path)
  return session
}

export const startDeviceSession = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const id = crypto.randomUUID().replaceAll('-', '')
    localStorage.setItem('kount_session_id', id)
    return id
  })

export async function fetchDeviceSession(session: string) {
  const answer = await fetch(
    `${PROVIDER_ORIGIN}${ADMIN_PATHS.collector}?${new URLSearchParams({ session }).toString()}`,
    {
      headers: { authorization: `Admin ${ADMIN_KEY}` },
    },
  )
  return v.parse(collectorList, await answer.json()).data.sessions[0]
}

/** Waits until the device collector's frame has reported the device facts of this session to the provider. */
export async function waitForDeviceFacts(session: string): Promise<void> {
  await expect.poll(async () => (await fetchDeviceSession(session))?.facts ?? null).not.toBeNull()
}
