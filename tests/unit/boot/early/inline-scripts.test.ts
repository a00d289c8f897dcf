import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { Linter } from 'eslint'
import { minifySync } from 'vite'
import { describe, expect, test } from 'vitest'
import { renderInlineScript } from '../../../../src/boot/early/inline-script.ts'
import { NOTICE_KEY } from '../../../../src/boot/page/page-metadata.ts'
import { SERVICES_EARLY_REQUESTS } from '../../../../src/early/requests/account.ts'
import { EVENTS_EARLY_REQUESTS } from '../../../../src/early/requests/events.ts'
import { LIVE_EARLY_REQUESTS } from '../../../../src/early/requests/live.ts'
import { ACTIVITY_EARLY_REQUESTS } from '../../../../src/early/requests/activity.ts'
import { PEOPLE_EARLY_REQUESTS } from '../../../../src/early/requests/people.ts'
import { BILLING_EARLY_REQUESTS, INVOICE_EARLY_REQUESTS } from '../../../../src/early/requests/billing.ts'
import {
  OVERVIEW_EARLY_REQUESTS,
  planPageEarlyRequests,
  PLAN_CHOOSER_EARLY_REQUESTS,
} from '../../../../src/early/requests/plans.ts'
import type { AnyEarlyRequest } from '../../../../src/early/early-request.ts'

/** Inline scripts by file name. A later script of the same file has its number in the name: `Shell.astro 2`. */
const inlineScripts = new Map<string, string>()
for (const folder of ['src/layouts', 'src/pages'])
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.astro')) continue
    const source = readFileSync(join(folder, name), 'utf8')
    const scripts = source.matchAll(/(<script[^>]*\bis:inline[^>]*>?)([\s\S]*?)(?:<\/script>|\/>|$)/g)
    const executable = [...scripts].filter(([, open = '']) => !open.includes('type='))
    for (const [index, [, open = '', code = '']] of executable.entries())
      inlineScripts.set(index === 0 ? name : `${name} ${index + 1}`, open + code)
  }

const getScriptBody = (name: string) => inlineScripts.get(name)?.replace(/^<script[^>]*>/, '') ?? ''

/** Creates browser globals for a script context. Access to any other global throws a ReferenceError. */
function createBrowserGlobals(cookie: string, storage: Record<string, string>, userAgent: string) {
  const html = { dataset: {} as Record<string, string> }
  const clickListeners: ((event: unknown) => void)[] = []
  const window = {} as Record<string, unknown>
  const requestedPaths: string[] = []
  return {
    html,
    requestedPaths,
    clickListeners,
    context: {
      window,
      navigator: { userAgent, maxTouchPoints: 0 },
      document: { cookie, hidden: false, documentElement: html, querySelector: () => null },
      location: { search: '' },
      localStorage: {
        getItem: (key: string) => storage[key] ?? null,
        setItem: (key: string, value: string) => (storage[key] = value),
      },
      sessionStorage: { getItem: () => null },
      matchMedia: () => ({ matches: true }),
      addEventListener: (_: string, listener: (event: unknown) => void) => clickListeners.push(listener),
      URLSearchParams,
      setTimeout: () => 0,
      fetch: (url: string) => {
        requestedPaths.push(url.split('/').at(-1) ?? '')
        return Promise.resolve(Response.json({ code: 1, data: [{ role: 1, home_id: 'h' }] }))
      },
    },
  }
}

const BROWSER_GLOBALS =
  /^(window|document|location|localStorage|sessionStorage|navigator|fetch|URLSearchParams|WebSocket|Image|setTimeout|addEventListener|dispatchEvent|Event|encodeURIComponent|matchMedia)$/

const listUndefinedNames = (text: string): string[] =>
  new Linter()
    .verify(text, { languageOptions: { sourceType: 'script' }, rules: { 'no-undef': 'error' } })
    .map(({ message }) => /'(\w+)'/.exec(message)?.[1] ?? message)
    .filter((name) => !BROWSER_GLOBALS.test(name))

describe('inline scripts', () => {
  test('are exactly the ones tested below', () => {
    expect([...inlineScripts.keys()].toSorted()).toEqual([
      'NoticeScript.astro',
      'ProtectedShell.astro',
      'Shell.astro',
      'Shell.astro 2',
      'SkeletonDates.astro',
    ])
    expect(inlineScripts.get('ProtectedShell.astro')).toContain('set:html={renderInlineScript(first, heldKeys)}')
  })

  const pages: [string, readonly AnyEarlyRequest[], string[]][] = [
    ['a protected page', [], ['me']],
    ['/live', LIVE_EARLY_REQUESTS, ['me', 'home', 'get-streams', 'get-home-devices']],
    ['/events', EVENTS_EARLY_REQUESTS, ['me', 'history']],
    ['/account/activity', ACTIVITY_EARLY_REQUESTS, ['me', 'activity']],
    ['/account/people', PEOPLE_EARLY_REQUESTS, ['me', 'people']],
    ['/account/products/choose', PLAN_CHOOSER_EARLY_REQUESTS, ['me', 'recurring_info', 'plan-truth', 'user-1']],
    ['/account/billing', BILLING_EARLY_REQUESTS, ['me', 'recurring_info']],
    ['/account/billing/invoice', INVOICE_EARLY_REQUESTS, ['me', 'recurring_info', 'recurring_info', 'recurring_info']],
    ['/account', OVERVIEW_EARLY_REQUESTS, ['me', 'recurring_info', 'user-1', 'home', 'get-home-devices']],
    ['/account/services', SERVICES_EARLY_REQUESTS, ['me', 'user-1', 'home', 'get-home-devices']],
    [
      '/account/products/unlimited',
      planPageEarlyRequests('unlimited'),
      ['me', 'recurring_info', 'recurring_info', 'plan-truth', 'user-1', 'home', 'get-home-devices'],
    ],
  ]
  test.each(pages)(
    'run the early requests of %s with nothing but browser globals',
    async (_, earlyRequests, expectedPaths) => {
      for (const text of [
        renderInlineScript(earlyRequests, '/?'),
        minifySync('text.js', renderInlineScript(earlyRequests, '/?')).code,
      ]) {
        const storage = { web_app_token: '1.handle', userId: 'user-1', 'user-cameras': '[{"device_id":"a"}]' }
        const { context, requestedPaths } = createBrowserGlobals('signed_in=1; XSRF-TOKEN=x', storage, '')
        runInNewContext(text, context)
        await new Promise((resolve) => setImmediate(resolve))
        expect(requestedPaths.toSorted()).toEqual(expectedPaths.toSorted())
        expect(listUndefinedNames(text)).toEqual([])
      }
    },
  )

  test('set the theme and the pending current-user state before the first paint', () => {
    const { context, html } = createBrowserGlobals('signed_in=1', {}, '')
    runInNewContext(getScriptBody('Shell.astro'), context)
    expect(html.dataset).toEqual({ theme: 'porchlight-dark', who: 'asking' })
    const visitor = createBrowserGlobals('', {}, '')
    runInNewContext(getScriptBody('Shell.astro'), visitor.context)
    expect(visitor.html.dataset).toEqual({ theme: 'porchlight-dark' })
    expect(listUndefinedNames(getScriptBody('Shell.astro'))).toEqual([])
  })

  test('load the font and remove its preload from the head if the document took more than 300 ms', () => {
    for (const [ms, expectedSteps] of [
      [300, []],
      [301, ['load url(/font.woff2)', 'remove [as=font]']],
    ] as const) {
      const steps: string[] = []
      const context = {
        performance: { now: () => ms },
        document: {
          querySelector: (selector: string) => ({
            href: '/font.woff2',
            remove: () => void steps.push(`remove ${selector}`),
          }),
        },
        FontFace: class {
          readonly #source: string
          constructor(_: string, source: string) {
            this.#source = source
          }
          load = async () => void steps.push(`load ${this.#source}`)
        },
      }
      runInNewContext(getScriptBody('Shell.astro 2'), context)
      expect(steps).toEqual(expectedSteps)
    }
  })

  test('show the browser notice on an iPhone, and not again after it is dismissed', () => {
    const storage = {}
    const { context, html, clickListeners } = createBrowserGlobals('', storage, 'iPhone Safari')
    const text = `{const key = ${JSON.stringify(NOTICE_KEY)};${getScriptBody('NoticeScript.astro')}}`
    runInNewContext(text, context)
    expect(html.dataset['notice']).toBe('ios')
    clickListeners[0]?.({ target: { closest: () => true } })
    expect(html.dataset['notice']).toBeUndefined()
    const again = createBrowserGlobals('', storage, 'iPhone Safari')
    runInNewContext(text, again.context)
    expect(again.html.dataset['notice']).toBeUndefined()
    expect(listUndefinedNames(text)).toEqual([])
  })

  test('hold a shortcut outside fields until its code handles the key, and mark a search in the URL', () => {
    const { context, html, clickListeners } = createBrowserGlobals('', {}, '')
    context.location.search = '?search='
    runInNewContext(renderInlineScript([], '/'), context)
    expect(html.dataset).toEqual({ search: '' })
    const press = (key: string, field: object | null) =>
      clickListeners[0]?.({ key, target: { closest: () => field }, preventDefault: () => undefined })
    press('?', null)
    press('/', {})
    expect(html.dataset['held']).toBeUndefined()
    press('/', null)
    expect(html.dataset['held']).toBe('/')
    Object.assign(html.dataset, { held: '', handled: '/' })
    press('/', null)
    expect(html.dataset['held']).toBe('')
  })

  test('fill the hours of the region into the skeletons', () => {
    const hour = { dataset: { hour: '15' }, textContent: '' }
    const { context } = createBrowserGlobals('', {}, '')
    const find = (selector: string) => (selector === '[data-hour]' ? [hour] : [])
    const fill = (formats: string) => {
      const document = { ...context.document, querySelectorAll: find }
      runInNewContext(getScriptBody('SkeletonDates.astro'), {
        ...context,
        document,
        localStorage: { browser_formats: formats },
      })
      return hour.textContent
    }
    expect([fill('en-US'), fill('de-DE')]).toEqual(['3\u00a0PM', '15:00'])
  })
})
