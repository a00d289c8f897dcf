import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import fc from 'fast-check'
import { REDIRECT_FALLBACK, toSafePath, toSafeRedirect } from '../../src/domain/navigation/safe-redirect.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import {
  ACCEPTED_URLS,
  CONFUSING_REDIRECTS,
  hostileRedirectArbitrary,
  localRedirectRules,
  LOCAL_ACCEPTED_URLS,
  LOCAL_REJECTED_URLS,
  LOOK_ALIKE_URLS,
  NON_HTTPS_URLS,
  PAYMENT_LOOK_ALIKE_URLS,
  publicRedirectRules,
  SIGN_IN_PATHS,
  randomPathArbitrary,
} from '../support/redirect-classes.ts'

type RedirectModule = typeof import('../../src/domain/navigation/safe-redirect.ts')

/** Source of the redirect rule as one module, to run the rule with the browser's URL parser. */
const redirectModuleSource = ['sign-in-pages', 'safe-redirect']
  .map((name) => readFileSync(new URL(`../../src/domain/navigation/${name}.ts`, import.meta.url), 'utf8'))
  .map((text) => stripTypeScriptTypes(text).replace(/^import .*$/gm, ''))
  .join('\n')
const redirectModuleUrl = `data:text/javascript;base64,${Buffer.from(redirectModuleSource).toString('base64')}`

test(
  'REDIRECT-04 REDIRECT-06 REDIRECT-09 the browser accepts and rejects each URL class as the edge does',
  { tag: '@all' },
  async ({ page }) => {
    const redirectInBrowser = (list: readonly unknown[], redirectRules: typeof publicRedirectRules) =>
      page.evaluate(
        async ([from, raws, options]) => {
          const { toSafeRedirect: redirect } = (await import(from)) as RedirectModule
          return raws.map((raw) => redirect(raw, options))
        },
        [redirectModuleUrl, list, redirectRules] as const,
      )
    const accepted = ACCEPTED_URLS.map(([, url]) => url)
    expect(await redirectInBrowser(accepted, publicRedirectRules)).toEqual(accepted)
    expect(await redirectInBrowser(LOCAL_ACCEPTED_URLS, localRedirectRules)).toEqual(LOCAL_ACCEPTED_URLS)
    const rejected = [
      ...NON_HTTPS_URLS,
      ...LOOK_ALIKE_URLS,
      ...PAYMENT_LOOK_ALIKE_URLS,
      ...CONFUSING_REDIRECTS.map(([, raw]) => raw),
      ...SIGN_IN_PATHS,
    ]
    expect(rejected.length).toBeGreaterThan(40)
    expect(await redirectInBrowser(rejected, publicRedirectRules)).toEqual(rejected.map(() => REDIRECT_FALLBACK))
    expect(await redirectInBrowser(LOCAL_REJECTED_URLS, localRedirectRules)).toEqual(
      LOCAL_REJECTED_URLS.map(() => REDIRECT_FALLBACK),
    )
  },
)

test(
  'thousands of hostile URLs and paths resolve to the same target in browser and edge',
  { tag: '@all' },
  async ({ page }) => {
    const hostileUrls = fc.sample(hostileRedirectArbitrary, 3000)
    const paths = fc.sample(randomPathArbitrary, 3000)
    const answers = await page.evaluate(
      async ([from, urls, rawPaths, options]) => {
        const { toSafePath: path, toSafeRedirect: redirect } = (await import(from)) as RedirectModule
        return [urls.map((raw) => redirect(raw, options)), rawPaths.map((raw) => path(raw))]
      },
      [redirectModuleUrl, hostileUrls, paths, publicRedirectRules] as const,
    )
    // Newer browsers escape a vertical bar in a path, and Node does not yet. Both spellings lead to the same target.
    const normalize = (list: readonly unknown[] | undefined) =>
      list?.map((entry) => String(entry).replaceAll('%7C', '|'))
    expect(normalize(answers[0])).toEqual(normalize(hostileUrls.map((raw) => toSafeRedirect(raw, publicRedirectRules))))
    expect(normalize(answers[1])).toEqual(normalize(paths.map((raw) => toSafePath(raw))))
  },
)

test.describe('signed-in owner', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test(
    'REDIRECT-10 no rejected URL class leaves the portal through the callback',
    { tag: '@all' },
    async ({ page }) => {
      // Open only a few URLs of each kind in the browser, because the tests above check the rule for all URLs.
      const confusing = ['user info', 'a backslash', 'a full-width dot', 'a path that leaves the origin']
      const chosen = CONFUSING_REDIRECTS.flatMap(([why, raw]) => (confusing.includes(why) ? [String(raw)] : []))
      expect(chosen).toHaveLength(confusing.length)
      for (const raw of [
        ...NON_HTTPS_URLS.slice(1, 3),
        ...LOOK_ALIKE_URLS.slice(0, 2),
        ...PAYMENT_LOOK_ALIKE_URLS,
        ...chosen,
      ]) {
        await page.goto(`/user/callback?redirect_uri=${encodeURIComponent(raw)}`, { waitUntil: 'commit' })
        await expect(page, raw).toHaveURL('/account/services')
      }
    },
  )
})
