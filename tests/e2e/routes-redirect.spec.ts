import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import fc from 'fast-check'
import { REDIRECT_FALLBACK, safePath, safeRedirect } from '../../src/domain/navigation/safe-redirect.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import {
  ACCEPTED,
  CONFUSING,
  hostile,
  local,
  LOCAL_ACCEPTED,
  LOCAL_REFUSED,
  LOOK_ALIKES,
  NOT_HTTPS,
  PAYMENT_LOOK_ALIKES,
  rules,
  SIGN_IN_PATHS,
  slashed,
} from '../support/redirect-classes.ts'

type Rule = typeof import('../../src/domain/navigation/safe-redirect.ts')

/** Source of the redirect rule as one module, to run the rule with the browser's URL parser. */
const source = ['sign-in-pages', 'safe-redirect']
  .map((name) => readFileSync(new URL(`../../src/domain/navigation/${name}.ts`, import.meta.url), 'utf8'))
  .map((text) => stripTypeScriptTypes(text).replace(/^import .*$/gm, ''))
  .join('\n')
const module = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`

test(
  'REDIRECT-04 REDIRECT-06 REDIRECT-09 the browser accepts and rejects each URL class as the edge does',
  { tag: '@all' },
  async ({ page }) => {
    const inBrowser = (list: readonly unknown[], by: typeof rules) =>
      page.evaluate(
        async ([from, raws, options]) => {
          const { safeRedirect: ask } = (await import(from)) as Rule
          return raws.map((raw) => ask(raw, options))
        },
        [module, list, by] as const,
      )
    const accepted = ACCEPTED.map(([, url]) => url)
    expect(await inBrowser(accepted, rules)).toEqual(accepted)
    expect(await inBrowser(LOCAL_ACCEPTED, local)).toEqual(LOCAL_ACCEPTED)
    const rejected = [
      ...NOT_HTTPS,
      ...LOOK_ALIKES,
      ...PAYMENT_LOOK_ALIKES,
      ...CONFUSING.map(([, raw]) => raw),
      ...SIGN_IN_PATHS,
    ]
    expect(rejected.length).toBeGreaterThan(40)
    expect(await inBrowser(rejected, rules)).toEqual(rejected.map(() => REDIRECT_FALLBACK))
    expect(await inBrowser(LOCAL_REFUSED, local)).toEqual(LOCAL_REFUSED.map(() => REDIRECT_FALLBACK))
  },
)

test(
  'thousands of hostile URLs and paths resolve to the same target in browser and edge',
  { tag: '@all' },
  async ({ page }) => {
    const addresses = fc.sample(hostile, 3000)
    const paths = fc.sample(slashed, 3000)
    const answers = await page.evaluate(
      async ([from, urls, places, options]) => {
        const { safePath: path, safeRedirect: ask } = (await import(from)) as Rule
        return [urls.map((raw) => ask(raw, options)), places.map((raw) => path(raw))]
      },
      [module, addresses, paths, rules] as const,
    )
    // Newer browsers escape a vertical bar in a path and Node does not yet; the target is the same.
    const places = (list: readonly unknown[] | undefined) => list?.map((entry) => String(entry).replaceAll('%7C', '|'))
    expect(places(answers[0])).toEqual(places(addresses.map((raw) => safeRedirect(raw, rules))))
    expect(places(answers[1])).toEqual(places(paths.map((raw) => safePath(raw))))
  },
)

test.describe('signed-in owner', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test(
    'REDIRECT-10 no rejected URL class leaves the portal through the callback',
    { tag: '@all' },
    async ({ page }) => {
      // Open one URL of each kind in the browser; the tests above check the rule for all URLs.
      const confusing = ['user info', 'a backslash', 'a full-width dot', 'a path that leaves the origin']
      const chosen = CONFUSING.flatMap(([why, raw]) => (confusing.includes(why) ? [String(raw)] : []))
      expect(chosen).toHaveLength(confusing.length)
      for (const raw of [...NOT_HTTPS.slice(1, 3), ...LOOK_ALIKES.slice(0, 2), ...PAYMENT_LOOK_ALIKES, ...chosen]) {
        await page.goto(`/user/callback?redirect_uri=${encodeURIComponent(raw)}`, { waitUntil: 'commit' })
        await expect(page, raw).toHaveURL('/account/services')
      }
    },
  )
})
