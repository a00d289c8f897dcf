import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserOptions } from '../../../scripts/tools.mjs'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { openForeignIssuer, type ForeignIssuer, type ForeignIssuerOptions } from '../../support/foreign-issuer.ts'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch(browserOptions())
})
afterAll(() => browser.close())

/** Runs `task` in a page of a portal with a foreign issuer. Sign-ins succeed, but the provider rejects their tokens. */
async function withForeignIssuer(
  kind: ForeignIssuerOptions['kind'],
  task: (page: Page, edge: EdgeDeployment, issuer: ForeignIssuer) => Promise<void>,
): Promise<void> {
  let issuer: ForeignIssuer | undefined
  const edge = await openEdge(async (env) => {
    issuer = await openForeignIssuer(env.PORTAL_ORIGIN, kind === undefined ? {} : { kind })
    return issuer.settings
  }, 'with its site')
  const context = await browser.newContext()
  try {
    if (issuer) await task(await context.newPage(), edge, issuer)
  } finally {
    await context.close()
    await edge.close()
    await issuer?.close()
  }
}

function recordVisitedPaths(page: Page): string[] {
  const paths: string[] = []
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) paths.push(new URL(frame.url()).pathname)
  })
  return paths
}

test.each([
  ['refreshes, is still rejected and', undefined],
  ['cannot refresh and', 'strict'],
] as const)(
  'OPEN-06 a visitor whose sign-in %s ends at one page that explains it, after one sign-in',
  async (_, kind) => {
    await withForeignIssuer(kind, async (page, edge, issuer) => {
      const paths = recordVisitedPaths(page)
      await page.goto(`${edge.portalOrigin}/account/services`)
      await page.getByText(/\bOIDC_ISSUER\b/).waitFor()
      expect(new URL(page.url()).pathname).toBe('/user/redirect')
      const visits = paths.filter((path) => path === '/account/services').length
      // A page may send its last request while it still retries its first request, so each visit may refresh the token
      // a second time.
      const refreshes = kind === undefined ? 2 * visits : 0
      expect(issuer.requestedPaths.filter((path) => path === '/token').length).toBeLessThanOrEqual(1 + refreshes)
      expect(issuer.requestedPaths.filter((path) => path === '/auth')).toHaveLength(1)
      expect(visits).toBeLessThanOrEqual(3)
      expect(paths.length).toBeLessThanOrEqual(8)
    })
  },
)

test('sign-out warns that an issuer that ends no session of its own still knows the visitor', async () => {
  await withForeignIssuer('bare', async (page, edge) => {
    await page.goto(`${edge.portalOrigin}/account/services`)
    await page.getByText(/\bOIDC_ISSUER\b/).waitFor()
    await page.goto(`${edge.portalOrigin}/user/logout`, { referer: `${edge.portalOrigin}/` })
    await page.getByText(/still be logged in to the login service/).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })
})
